-- Everything an organization has, as one ZIP: made by a job in steps, kept for a week. The files lie here in pieces, so that every process can go on with
-- them and give them out; the ZIP around them is written while it is downloaded.

create table exports (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  requested_by uuid not null,
  -- waiting, running or ready.
  state text not null,
  -- Where the next step begins: what is being written, and the last row of it that was. Null when there is no next step.
  stage text,
  after_id uuid,
  -- Rows written, and how many there were when it began.
  done int not null,
  total int not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (organization_id, id)
);

create table export_files (
  organization_id uuid not null,
  export_id uuid not null,
  position int not null,
  name text not null,
  -- Of what is in it, and its bytes before and after packing.
  crc bigint not null,
  size bigint not null,
  packed_size bigint not null,
  -- The PDF of record is not copied: it cannot change.
  pdf_of uuid,
  -- Which of its files: pdf, or facturx.
  pdf_kind text,
  primary key (organization_id, export_id, position),
  foreign key (organization_id, export_id) references exports (organization_id, id) on delete cascade
);

create table export_pieces (
  organization_id uuid not null,
  export_id uuid not null,
  file int not null,
  position int not null,
  -- A part of a raw deflate stream that ends on a byte.
  content bytea not null,
  primary key (organization_id, export_id, file, position),
  foreign key (organization_id, export_id, file) references export_files (organization_id, export_id, position) on delete cascade
);

do $$ declare tenant_table text; begin
  foreach tenant_table in array array['exports', 'export_files', 'export_pieces'] loop
    execute format('grant select, insert, update, delete on %I to docket_app', tenant_table);
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to docket_app using (organization_id = any ((select docket_organizations())::uuid[])) with check (organization_id = any ((select docket_organizations())::uuid[]))', tenant_table);
    execute format('grant delete, select (organization_id) on %I to docket_purge', tenant_table);
    execute format('create policy erase on %I to docket_purge using (organization_id in (select id from organizations where deleted_at is not null))', tenant_table);
    execute format('grant select, insert on %I to docket_backup', tenant_table);
    execute format('create policy backup on %I to docket_backup using (true) with check (true)', tenant_table);
  end loop;
end $$;
