-- The public keys of every replica's tokens. The private ones are in the replicas' settings alone.
CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  public_key jsonb NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);

-- Access tokens that name an earlier version count no more: versions, unlike the clocks of two replicas, agree.
ALTER TABLE users ADD access_cut_version integer;
UPDATE users SET access_cut_version = version WHERE access_cut_at IS NOT NULL;
