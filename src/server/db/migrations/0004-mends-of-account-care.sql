-- A challenge is answered once; the same answer sent again by the same device (a killed worker, SESSION.md fact 1) is known by its hash.
alter table passkey_challenges add column used_at timestamptz;
alter table passkey_challenges add column answer_hash text collate "C";

-- What a closed account wrote is erased with it, kept answers included.
grant select (id) on users to docket_purge;
grant delete, select (user_id) on user_idempotency to docket_purge;
create policy erase on user_idempotency to docket_purge using (user_id in (select id from users where deleted_at is not null));
