-- Files with all data of a user, made in the background and kept for a week.
CREATE TABLE data_exports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- The number of the latest run that makes the file. Earlier runs add nothing.
  run integer NOT NULL DEFAULT 0,
  -- Null until the file is complete.
  expires_at timestamptz
);
CREATE INDEX data_exports_user_id ON data_exports (user_id);
CREATE INDEX data_exports_requested_at ON data_exports (requested_at);

-- The ZIP file in parts, so that no process holds all of it.
CREATE TABLE data_export_parts (
  export_id uuid NOT NULL REFERENCES data_exports ON DELETE CASCADE,
  run integer NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (export_id, run, number)
);
