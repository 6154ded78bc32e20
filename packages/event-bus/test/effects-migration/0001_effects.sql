CREATE TABLE effects (user_id uuid NOT NULL);
