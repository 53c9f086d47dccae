-- A challenge is answered once; the same answer sent again by the same device (a killed worker, SESSION.md fact 1) is known by its hash.
alter table passkey_challenges add column used_at timestamptz;
alter table passkey_challenges add column answer_hash text collate "C";
