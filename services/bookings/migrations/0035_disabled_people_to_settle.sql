-- A disabled account is settled, with nothing left open, once `settled_version` equals `version`. Older replicas only raise
-- `version`, which makes the account unsettled.
ALTER TABLE disabled_people
  ADD COLUMN settled_version bigint NOT NULL DEFAULT 0,
  ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX disabled_people_to_settle ON disabled_people (changed_at) WHERE disabled AND settled_version <> version;
