-- Verified addresses that a user replaced. The old address gets a link that undoes the change: SHA-256 of its token.
CREATE TABLE former_emails (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL CHECK (email = lower(email)),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX former_emails_user_id ON former_emails (user_id);
CREATE INDEX former_emails_email ON former_emails (email);
CREATE INDEX former_emails_changed_at ON former_emails (changed_at);
