-- Which history the revisions count: another one since a backup was put back, whose revisions devices may have seen once already.
alter table organization_revisions add column epoch text not null default '' check (epoch ~ '^([0-9a-f]{8})?$');
