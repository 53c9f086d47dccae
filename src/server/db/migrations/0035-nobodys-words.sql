-- Docket's own words of reminders that the page kept as if the organization had written them: nobody did. They called an invoice's first reminder the
-- second where it was late by so many days; the own words of today go by what went out.
alter table reminder_rules no force row level security;
update reminder_rules set steps = coalesce((
  with own (language, subject, message) as (values
    ('en', 'Invoice {number} is due soon', E'Hello {customer},\n\nThis is a friendly notice that {amount} of our invoice {number} is due on {due}. It is attached again.\n\nIf you have paid already, please ignore this mail.\n\nThank you,\n{organization}'),
    ('en', 'Reminder: invoice {number}', E'Hello {customer},\n\nOur invoice {number} for {amount} was due on {due}. Perhaps it slipped by: it is attached again.\n\nIf you have paid meanwhile, please ignore this mail.\n\nThank you,\n{organization}'),
    ('en', 'Second reminder: invoice {number}', E'Hello {customer},\n\nWe have not received a payment for our invoice {number} yet. {amount} was due on {due}. Please pay it in the next days, or tell us if something is wrong with it.\n\nThank you,\n{organization}'),
    ('en', 'Last reminder: invoice {number}', E'Hello {customer},\n\nIn spite of our reminders {amount} of our invoice {number} is still open. It was due on {due}. Please pay it within seven days.\n\n{organization}'),
    ('de', 'Rechnung {number} wird bald fällig', E'Guten Tag {customer},\n\nein freundlicher Hinweis: {amount} unserer Rechnung {number} sind am {due} fällig. Wir hängen sie noch einmal an.\n\nSollten Sie schon gezahlt haben, beachten Sie diese Mail bitte nicht.\n\nMit freundlichen Grüßen\n{organization}'),
    ('de', 'Zahlungserinnerung: Rechnung {number}', E'Guten Tag {customer},\n\nunsere Rechnung {number} über {amount} war am {due} fällig. Vielleicht ist sie untergegangen: Wir hängen sie noch einmal an.\n\nSollten Sie inzwischen gezahlt haben, beachten Sie diese Mail bitte nicht.\n\nMit freundlichen Grüßen\n{organization}'),
    ('de', 'Zweite Zahlungserinnerung: Rechnung {number}', E'Guten Tag {customer},\n\nfür unsere Rechnung {number} haben wir noch keine Zahlung erhalten. {amount} waren am {due} fällig. Bitte zahlen Sie in den nächsten Tagen, oder sagen Sie uns, wenn damit etwas nicht stimmt.\n\nMit freundlichen Grüßen\n{organization}'),
    ('de', 'Letzte Zahlungserinnerung: Rechnung {number}', E'Guten Tag {customer},\n\ntrotz unserer Erinnerungen sind {amount} unserer Rechnung {number} noch offen. Sie war am {due} fällig. Bitte zahlen Sie innerhalb von sieben Tagen.\n\nMit freundlichen Grüßen\n{organization}')
  )
  select jsonb_agg(each.step || jsonb_build_object('words', (
    select jsonb_object_agg(said.language, case when own.language is null then said.words else 'null' end)
    from jsonb_each(each.step -> 'words') said (language, words)
    left join own on own.language = said.language and own.subject = said.words ->> 'subject' and own.message = said.words ->> 'message'
  )) order by each.place)
  from jsonb_array_elements(reminder_rules.steps) with ordinality each (step, place)
), '[]');
alter table reminder_rules force row level security;
