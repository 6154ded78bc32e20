-- For the exclusion constraint of `booking_units`, over the unit's id and a time range.
CREATE EXTENSION IF NOT EXISTS btree_gist;
-- For the search of admins by code, tool and name.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Copies of catalog's tools and accounts' people, as of `version` of each

-- A removed tool keeps its row: otherwise a late `ToolListed` would list it again.
CREATE TABLE tools (
  id uuid PRIMARY KEY,
  version integer NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL DEFAULT '',
  description text NOT NULL DEFAULT '',
  cover_image text NOT NULL DEFAULT 'null',
  price_cents integer NOT NULL DEFAULT 0,
  circle text NOT NULL DEFAULT 'daily' CHECK (circle IN ('daily', 'hourly')),
  status text NOT NULL DEFAULT 'Unavailable' CHECK (status IN ('Available', 'Unavailable')),
  units integer NOT NULL DEFAULT 0,
  time_zone text NOT NULL DEFAULT 'UTC',
  terms jsonb,
  -- A disabled owner can't log in to hand a tool over, so it can't be booked.
  owner_disabled boolean NOT NULL DEFAULT false,
  removed_at timestamptz,
  -- When all taken dates of the tool were published for the services that copy them. Set it to null to publish them again
  -- (docs/operations.md).
  taken_dates_published_at timestamptz DEFAULT now()
);
CREATE INDEX tools_removed ON tools (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX tools_with_unpublished_dates ON tools (id) WHERE taken_dates_published_at IS NULL;

-- One row per physical unit. Rows are only added. If a tool has fewer units now, only those whose `number` is at most
-- `tools.units` can be booked; the others keep their bookings.
CREATE TABLE units (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  tool_id uuid NOT NULL REFERENCES tools,
  number integer NOT NULL,
  UNIQUE (tool_id, number)
);

CREATE TABLE people (
  id uuid PRIMARY KEY,
  version integer NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  image text NOT NULL,
  country text NOT NULL,
  state text NOT NULL,
  city text NOT NULL,
  address text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false
);
CREATE INDEX people_names ON people USING gin ((first_name || ' ' || last_name) gin_trgm_ops);

-- Which accounts are disabled. Not a column of `people`, because `AccountDisabled` may arrive before the event that adds the
-- person. An account is settled, with nothing left open, once `settled_version` equals `version`.
CREATE TABLE disabled_people (
  id uuid PRIMARY KEY,
  version bigint NOT NULL,
  disabled boolean NOT NULL,
  settled_version bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- Holds and bookings

CREATE TABLE holds (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL,
  -- `requested`: the card is authorized, and an owner has to answer. Such a hold does not expire.
  status text NOT NULL DEFAULT 'live' CHECK (status IN ('live', 'requested', 'paid', 'ended')),
  version integer NOT NULL DEFAULT 1,
  amount_cents integer NOT NULL,
  -- Units times days of the lines. Limits how much one person may hold without paying.
  unit_days integer NOT NULL DEFAULT 0,
  on_request boolean NOT NULL DEFAULT false,
  -- The booking that it changes; null for a cart.
  changes_booking_id uuid,
  expires_at timestamptz NOT NULL,
  payment_started_at timestamptz,
  authorized_by uuid,
  paid_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'paid') = (paid_by IS NOT NULL))
);
CREATE INDEX holds_live_of_user ON holds (user_id) WHERE status = 'live';
CREATE INDEX holds_unpaid_of_user ON holds (user_id, created_at) WHERE status <> 'paid';
CREATE INDEX holds_live_by_expiry ON holds (expires_at) WHERE status = 'live';
CREATE INDEX holds_ended ON holds (expires_at) WHERE status = 'ended';

-- A draft (`held`) and the booking that it becomes are the same row. Name, description, picture, price and terms are copied from
-- the tool when it is held.
CREATE TABLE bookings (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  hold_id uuid REFERENCES holds,
  status text NOT NULL CHECK (status IN ('held', 'requested', 'confirmed', 'returned', 'completed', 'cancelled', 'expired',
    'declined', 'withdrawn', 'lapsed', 'failed')),
  version integer NOT NULL DEFAULT 1,
  code text NOT NULL,
  -- The code that the client requested. It identifies a repeated `add-rental-booking` even if the code was taken.
  wished_code text,
  user_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  tool_id uuid NOT NULL REFERENCES tools,
  name text NOT NULL,
  description text NOT NULL,
  cover_image text NOT NULL,
  circle text NOT NULL,
  time_zone text NOT NULL,
  -- Null for a full refund.
  cancellation_policy text,
  discounts jsonb NOT NULL DEFAULT '[]',
  price_cents integer NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  period integer NOT NULL CHECK (period > 0),
  discount_cents integer NOT NULL DEFAULT 0 CHECK (discount_cents >= 0),
  total_cents integer NOT NULL CHECK (total_cents = price_cents * period * quantity - discount_cents),
  start_date text NOT NULL,
  start_time text NOT NULL,
  end_date text NOT NULL,
  end_time text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  created_at timestamptz NOT NULL DEFAULT now(),
  booked_at timestamptz,
  change_count integer NOT NULL DEFAULT 0,
  changed_at timestamptz,
  -- What cheaper changes left with the owner.
  kept_cents integer NOT NULL DEFAULT 0,
  -- The largest percentage that a cancellation may still refund: a change to later dates must not raise it.
  most_percent integer NOT NULL DEFAULT 100,
  -- When the next reminder is due; null once none is left. By default at once: the task then computes it.
  remind_at timestamptz DEFAULT 'epoch',
  -- When both parties were warned that the previous renter has not returned the tool; null if they were not.
  warned_late_at timestamptz,
  returned_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  -- Why the system cancelled it: `owner-disabled` or `dispute-lost`. Null if a person cancelled it.
  cancel_cause text,
  -- What a cancellation or a change owes the renter beyond its refund, because that part was refunded in Stripe's dashboard or
  -- lost in a dispute. It is ordered if that money is recovered.
  withheld_cents integer NOT NULL DEFAULT 0 CHECK (withheld_cents >= 0),
  UNIQUE (id, status),
  CHECK (status NOT IN ('confirmed', 'returned', 'completed', 'cancelled') OR booked_at IS NOT NULL)
);
-- Codes are unique among the open bookings of one owner and of one renter. Unrelated people may have equal ones: otherwise six
-- digits would run out.
CREATE UNIQUE INDEX bookings_open_code_of_owner ON bookings (owner_id, code) WHERE status IN ('held', 'requested', 'confirmed');
CREATE UNIQUE INDEX bookings_open_code_of_renter ON bookings (user_id, code) WHERE status IN ('held', 'requested', 'confirmed');
CREATE INDEX bookings_of_user_by_wish ON bookings (user_id, wished_code);
CREATE INDEX bookings_of_hold ON bookings (hold_id);
-- Also for the foreign key check when a tool is deleted.
CREATE INDEX bookings_of_tool ON bookings (tool_id);
-- For lists, newest first: the ids are UUIDv7, so they sort by time.
CREATE INDEX bookings_shown_to_owner ON bookings (owner_id, id) WHERE status NOT IN ('held', 'expired');
CREATE INDEX bookings_shown_to_renter ON bookings (user_id, id) WHERE status NOT IN ('held', 'expired');
CREATE INDEX bookings_shown ON bookings (id) WHERE status NOT IN ('held', 'expired');
CREATE INDEX bookings_shown_by_status ON bookings (status, id) WHERE status NOT IN ('held', 'expired');
CREATE INDEX bookings_words ON bookings USING gin (code gin_trgm_ops, name gin_trgm_ops)
  WHERE status NOT IN ('held', 'expired');
-- For earnings and counts.
CREATE INDEX bookings_of_owner ON bookings (owner_id, id) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_of_renter ON bookings (user_id, id) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_paid ON bookings (id) WHERE booked_at IS NOT NULL;
-- For the statistics, by index-only scans.
CREATE INDEX bookings_revenue ON bookings (booked_at) INCLUDE (status, total_cents, kept_cents) WHERE booked_at IS NOT NULL;
CREATE INDEX bookings_cancelled ON bookings (cancelled_at) INCLUDE (id, booked_at, cancellation_policy)
  WHERE status = 'cancelled';

-- Changes of a booking's dates or quantity. One that costs more is `open` until its hold is paid or ends; one that needs an approval
-- until that has ended.
CREATE TABLE booking_changes (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings,
  -- Null if nothing is to be paid. An ended change is deleted with its hold.
  hold_id uuid UNIQUE REFERENCES holds ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('open', 'done', 'ended')),
  start_date text NOT NULL,
  start_time text NOT NULL,
  end_date text NOT NULL,
  end_time text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  quantity integer NOT NULL CHECK (quantity > 0),
  period integer NOT NULL CHECK (period > 0),
  discount_cents integer NOT NULL CHECK (discount_cents >= 0),
  total_cents integer NOT NULL,
  -- The numbers of the units that the booking has after the change.
  units integer[] NOT NULL,
  due_cents integer NOT NULL CHECK (due_cents >= 0),
  refund_cents integer NOT NULL CHECK (refund_cents >= 0),
  kept_cents integer NOT NULL CHECK (kept_cents >= 0),
  -- The percentage that a cancellation would have refunded when the change was requested.
  percent integer NOT NULL CHECK (percent BETWEEN 0 AND 100),
  -- The booking's dates, quantity and price before the change.
  before jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);
CREATE INDEX booking_changes_of_booking ON booking_changes (booking_id);
CREATE UNIQUE INDEX booking_changes_one_at_a_time ON booking_changes (booking_id) WHERE status = 'open';

-- A booking, or a change of one, that the tool's owner has to approve, and how that ended.
CREATE TABLE approvals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings ON DELETE CASCADE,
  -- Null if the booking itself is requested.
  change_id uuid UNIQUE REFERENCES booking_changes ON DELETE CASCADE,
  -- The hold whose card is charged once the owner accepts; null if nothing is to be paid. Without a foreign key: its check would
  -- lock the hold after the booking.
  hold_id uuid UNIQUE,
  -- `accepted`: the card is being charged. `done`: the booking or the change was made. `obsolete`: the booking ended first.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN (
    'pending', 'accepted', 'done', 'declined', 'withdrawn', 'lapsed', 'failed', 'obsolete')),
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- The owner's deadline.
  answer_by timestamptz NOT NULL,
  -- When the owner is reminded; null once reminded or answered.
  remind_at timestamptz,
  accepted_at timestamptz,
  -- The actor that ended it without a booking or change: `renter`, `owner`, `admin` or `system`.
  ended_by text,
  -- The owner's note to the renter.
  note text NOT NULL DEFAULT '',
  CHECK (status <> 'pending' OR accepted_at IS NULL),
  CHECK (status NOT IN ('accepted', 'done') OR accepted_at IS NOT NULL),
  CHECK ((status IN ('declined', 'withdrawn', 'lapsed', 'failed')) = (ended_by IS NOT NULL))
);
CREATE INDEX approvals_of_booking ON approvals (booking_id);
CREATE UNIQUE INDEX approvals_one_at_a_time ON approvals (booking_id) WHERE status IN ('pending', 'accepted');
-- For the gauges of overdue approvals, and for the end of a removed tool's.
CREATE INDEX approvals_open ON approvals (answer_by) WHERE status IN ('pending', 'accepted');
-- For the purge of changes without a hold; the others are deleted with their holds.
CREATE INDEX approvals_to_purge ON approvals (answer_by) WHERE hold_id IS NULL AND status NOT IN ('pending', 'accepted', 'done');

-- The units of a booking and their times. The foreign key keeps `status` equal to the booking's, so returning, cancelling or
-- expiring a booking frees its dates. The exclusion constraint makes double bookings impossible: of 200 concurrent inserts of one
-- slot, 199 fail with 23P01.
CREATE TABLE booking_units (
  booking_id uuid NOT NULL,
  unit_id uuid NOT NULL REFERENCES units,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  status text NOT NULL,
  -- Set for units that an open change adds to a booking; null once the change is made.
  change_id uuid REFERENCES booking_changes,
  -- A booking with an open change may have the same unit at two times.
  PRIMARY KEY (booking_id, unit_id, during),
  FOREIGN KEY (booking_id, status) REFERENCES bookings (id, status) ON UPDATE CASCADE,
  CONSTRAINT booking_units_no_overlap
    EXCLUDE USING gist (unit_id WITH =, during WITH &&) WHERE (status IN ('held', 'requested', 'confirmed'))
);
CREATE INDEX booking_units_of_unit ON booking_units (unit_id);
CREATE INDEX booking_units_of_change ON booking_units (change_id) WHERE change_id IS NOT NULL;

-- Problems with a booking, which admins settle. `reported_by` is null where the system opened it.
CREATE TABLE booking_problems (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings,
  -- Without a CHECK: during an upgrade a newer replica may store a kind that this version does not know.
  kind text NOT NULL,
  reported_by uuid,
  text text NOT NULL DEFAULT '',
  opened_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  settled_by uuid,
  note text NOT NULL DEFAULT '',
  CHECK ((settled_at IS NULL) = (settled_by IS NULL))
);
-- Makes a repeated report a no-op.
CREATE UNIQUE INDEX booking_problems_open_once ON booking_problems (booking_id, kind, reported_by) NULLS NOT DISTINCT
  WHERE settled_at IS NULL;
CREATE INDEX booking_problems_of_booking ON booking_problems (booking_id, id);
-- For the two lists of admins.
CREATE INDEX booking_problems_open ON booking_problems (id) WHERE settled_at IS NULL;
CREATE INDEX booking_problems_settled ON booking_problems (id) WHERE settled_at IS NOT NULL;

-- Money. The README defines the terms.

-- Payments that succeeded. `unassigned_cents` is neither allocated to a booking nor refunded; `rejected_cents` is refunded without
-- a booking. The columns from `stripe_version` to `dispute` hold what happened to the payment at Stripe besides our own refunds.
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  hold_id uuid,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  unassigned_cents integer NOT NULL CHECK (unassigned_cents BETWEEN 0 AND amount_cents),
  rejected_cents integer NOT NULL DEFAULT 0 CHECK (rejected_cents BETWEEN 0 AND amount_cents),
  stripe_version integer NOT NULL DEFAULT 0,
  -- Refunded in Stripe's dashboard.
  outside_cents integer NOT NULL DEFAULT 0 CHECK (outside_cents >= 0),
  -- Held by a bank or lost in a dispute.
  disputed_cents integer NOT NULL DEFAULT 0 CHECK (disputed_cents >= 0),
  -- The part of `disputed_cents` that a bank returns if the dispute is won.
  held_cents integer NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  dispute text CHECK (dispute IN ('inquiry', 'open', 'won', 'lost')),
  succeeded_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payments_unassigned ON payments (user_id, succeeded_at) WHERE unassigned_cents > 0;
-- For the limit on refunded payments.
CREATE INDEX payments_of_user ON payments (user_id);
-- The statistics compute balances only for the few payments that were refunded in Stripe's dashboard or disputed.
CREATE INDEX payments_touched_at_stripe ON payments (id) WHERE outside_cents > 0 OR disputed_cents > 0;

-- How much of a payment pays for a booking. A line that costs nothing has an allocation of 0, which links its booking to the payment
-- of its cart, for example in a dispute.
CREATE TABLE allocations (
  payment_id uuid NOT NULL REFERENCES payments,
  booking_id uuid NOT NULL REFERENCES bookings,
  amount_cents integer NOT NULL CHECK (amount_cents >= 0),
  refunded_cents integer NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  PRIMARY KEY (payment_id, booking_id)
);
CREATE INDEX allocations_of_booking ON allocations (booking_id);

-- What can still be refunded of each allocation. Refunds in the dashboard and disputes are taken from the unallocated, unrefunded
-- part of a payment first, because `rejectRest` subtracts them there. Stripe does not say for which booking of a cart it refunded
-- a payment, so the bookings share the excess by price. `left_cents` is available now. `returnable_cents` also counts what a bank
-- holds: it may be ordered, because payments sends it once the dispute is won. Both are limited by what is left of the whole
-- payment, because a refund in the dashboard may follow the full refund of one of the bookings.
CREATE VIEW allocation_balances AS
SELECT a.payment_id, a.booking_id, a.amount_cents, a.refunded_cents,
  least(a.amount_cents * greatest(0, p.outside_cents - s.free) / s.allocated, a.amount_cents - a.refunded_cents)::int
    AS outside_cents,
  greatest(0, least(
    a.amount_cents - a.refunded_cents
      - a.amount_cents * greatest(0, p.outside_cents + p.disputed_cents - s.free) / s.allocated,
    s.rest - p.outside_cents - p.disputed_cents))::int AS left_cents,
  greatest(0, least(
    a.amount_cents - a.refunded_cents
      - a.amount_cents * greatest(0, p.outside_cents + s.lost - s.free) / s.allocated,
    s.rest - p.outside_cents - s.lost))::int AS returnable_cents
FROM allocations a
JOIN payments p ON p.id = a.payment_id
CROSS JOIN LATERAL (
  -- At least 1, to avoid a division by zero for a payment with only lines of 0 cents.
  SELECT greatest(1, sum(one.amount_cents)) AS allocated,
    p.amount_cents - sum(one.amount_cents) - p.rejected_cents AS free,
    p.amount_cents - sum(one.refunded_cents) - p.rejected_cents AS rest,
    greatest(0, p.disputed_cents - p.held_cents) AS lost
  FROM allocations one WHERE one.payment_id = p.id) s;

-- Refunds by admins: who, when, why.
CREATE TABLE refund_grants (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings,
  admin_id uuid NOT NULL,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refund_grants_of_booking ON refund_grants (booking_id);

-- Refunds that this service has decided, one row per payment and decision. Payments reads them before it sends money, so a forged
-- event moves none, and compares all of them regularly, so a lost event is found.
CREATE TABLE refund_orders (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  payment_id uuid NOT NULL REFERENCES payments,
  -- Null for the part of a payment that is not allocated to a booking.
  booking_id uuid REFERENCES bookings,
  -- A booking may be refunded several times: by admins and by changes. These ids distinguish the orders.
  grant_id uuid REFERENCES refund_grants,
  change_id uuid REFERENCES booking_changes,
  -- An order of recovered money. Its own id distinguishes it from the order of the decision, which may have been sent long ago.
  is_recovered boolean NOT NULL DEFAULT false,
  refund_cents integer NOT NULL CHECK (refund_cents > 0),
  reason text NOT NULL,
  tool_names text[] NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refund_orders_of_payment ON refund_orders (payment_id);
CREATE INDEX refund_orders_by_time ON refund_orders (ordered_at);
-- For the foreign key checks when holds are purged with their drafts and changes.
CREATE INDEX refund_orders_of_booking ON refund_orders (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX refund_orders_of_change ON refund_orders (change_id) WHERE change_id IS NOT NULL;

-- Payments whose settlement failed. A row is deleted when a later attempt succeeds or the payment is refunded.
CREATE TABLE failed_settlements (
  payment_id uuid PRIMARY KEY,
  first_failed_at timestamptz NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 1
);

INSERT INTO reconciliations (name, next_at, reached_at) VALUES ('payments', now(), to_timestamp(0));

-- Reviews and calendar feeds

CREATE TABLE reviews (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL UNIQUE REFERENCES bookings,
  tool_id uuid NOT NULL REFERENCES tools,
  user_id uuid NOT NULL,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  comment text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz
);
CREATE INDEX reviews_of_tool ON reviews (tool_id, id);

-- A tool's sums of ratings. `version` is that of its latest `ReviewAdded` event.
CREATE TABLE tool_ratings (
  tool_id uuid PRIMARY KEY REFERENCES tools,
  version integer NOT NULL,
  rating_count integer NOT NULL,
  rating_sum integer NOT NULL
);

-- The secret in a feed's address gives access to a person's calendar, so only its hash is stored.
CREATE TABLE calendar_feeds (
  user_id uuid PRIMARY KEY,
  secret_hash bytea NOT NULL UNIQUE,
  since timestamptz NOT NULL DEFAULT now()
);
