-- Since when we know that who has the account reads its email; null until they followed a link that we mailed there.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- The link of the welcome letter. Few tokens wait at any time: the check of them is over at once.
ALTER TABLE mailed_tokens DROP CONSTRAINT mailed_tokens_purpose_check;
ALTER TABLE mailed_tokens ADD CONSTRAINT mailed_tokens_purpose_check
  CHECK (purpose IN ('password', 'email', 'verify'));
