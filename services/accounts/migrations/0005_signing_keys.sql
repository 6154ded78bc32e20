-- The public keys that verify the tokens of every replica. Private keys are only in the replicas' settings.
CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_key jsonb NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);

-- Access tokens with an earlier version are invalid. Versions are safe from the clock skew between replicas.
ALTER TABLE users ADD access_cut_version integer;
UPDATE users SET access_cut_version = version WHERE access_cut_at IS NOT NULL;
