-- How much of each quota a user has used in the current window.
CREATE TABLE quotas (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  used bigint NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind)
);
CREATE INDEX quotas_ends_at ON quotas (ends_at);
