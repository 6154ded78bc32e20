CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- Shown to people as R-1001.
  number integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY (START WITH 1001),
  version integer NOT NULL DEFAULT 1,
  about text NOT NULL CHECK (about IN ('tool', 'person', 'review', 'message')),
  content_id uuid NOT NULL,
  -- A copy of the content: it may be edited or removed before an admin reads the report.
  title text NOT NULL,
  content text NOT NULL,
  images text[] NOT NULL DEFAULT '{}',
  author_id uuid NOT NULL REFERENCES users,
  reason text NOT NULL,
  text text NOT NULL,
  reporter_id uuid REFERENCES users,
  -- Only without an account.
  reporter_email text,
  created_at timestamptz NOT NULL DEFAULT now(),
  taken_by uuid REFERENCES users,
  -- Since when it waits for a decision; null once it is decided.
  waiting_since timestamptz DEFAULT now(),
  -- The last of `report_decisions`.
  decision text CHECK (decision IN ('dismiss', 'warn', 'hide', 'disable')),
  decided_at timestamptz,
  CHECK ((reporter_id IS NULL) <> (reporter_email IS NULL))
);
CREATE INDEX reports_waiting ON reports (id) WHERE waiting_since IS NOT NULL;
CREATE INDEX reports_author ON reports (author_id, id);
CREATE INDEX reports_content ON reports (about, content_id);
-- While a user's report waits, a second one about the same content returns it.
CREATE UNIQUE INDEX reports_once ON reports (reporter_id, about, content_id) WHERE waiting_since IS NOT NULL;
-- For the purge.
CREATE INDEX reports_decided ON reports (decided_at) WHERE waiting_since IS NULL;

CREATE TABLE report_decisions (
  report_id uuid NOT NULL REFERENCES reports ON DELETE CASCADE,
  -- The report's version after the decision.
  version integer NOT NULL,
  decision text NOT NULL,
  reason text NOT NULL,
  decided_by uuid NOT NULL REFERENCES users,
  decided_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (report_id, version)
);

-- Counts the decisions that hid content or showed it again; the events carry the version. Several reports may be about one content.
CREATE TABLE moderated_content (
  about text NOT NULL,
  content_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (about, content_id)
);
