-- Each side of a report can appeal once, with the link in the email about the decision. Its text is null until it does.
CREATE TABLE report_appeals (
  report_id uuid NOT NULL REFERENCES reports ON DELETE CASCADE,
  side text NOT NULL CHECK (side IN ('reporter', 'author')),
  -- SHA-256 of the token in the last email.
  hash bytea NOT NULL UNIQUE,
  text text,
  appealed_at timestamptz,
  PRIMARY KEY (report_id, side)
);
