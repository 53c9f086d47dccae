-- The words of a reminder by language: [{id, days, words: {en: {subject, message} | null, de: ...}, since}]. Those there are were written in one; they stand under
-- the organization's, whose words the page offered.
alter table reminder_rules no force row level security;
alter table organizations no force row level security;
update reminder_rules set steps = coalesce((
  select jsonb_agg(
    (each.step - 'subject' - 'message') || jsonb_build_object('words', jsonb_build_object(
      'en', case when organizations.locale not like 'de%' then said.words end,
      'de', case when organizations.locale like 'de%' then said.words end
    )) order by each.place)
  from jsonb_array_elements(reminder_rules.steps) with ordinality each (step, place)
  cross join lateral (select jsonb_build_object('subject', each.step -> 'subject', 'message', each.step -> 'message')) said (words)
), '[]')
from organizations where organizations.id = reminder_rules.organization_id;
alter table organizations force row level security;
alter table reminder_rules force row level security;
