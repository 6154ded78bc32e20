-- A refund order is what the renter is entitled to; payments fills it as money becomes available (ADR 16). Replicas of 1.0 order only what
-- is available and store the rest in `withheld_cents`. This trigger orders that rest. `is_recovered` gives the order its own key in payments.
CREATE FUNCTION order_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid record;
  part integer;
BEGIN
  FOR paid IN SELECT * FROM allocations WHERE booking_id = NEW.id AND amount_cents > refunded_cents ORDER BY payment_id LOOP
    part := least(NEW.withheld_cents, paid.amount_cents - paid.refunded_cents);
    EXIT WHEN part = 0;
    UPDATE allocations SET refunded_cents = refunded_cents + part WHERE booking_id = NEW.id AND payment_id = paid.payment_id;
    INSERT INTO refund_orders (payment_id, booking_id, refund_cents, reason, tool_names, is_recovered)
    VALUES (paid.payment_id, NEW.id, part, CASE NEW.status WHEN 'cancelled' THEN 'cancelled' ELSE 'changed' END, ARRAY[NEW.name], true);
    NEW.withheld_cents := NEW.withheld_cents - part;
  END LOOP;
  NEW.withheld_cents := 0;
  RETURN NEW;
END $$;
CREATE TRIGGER order_withheld BEFORE UPDATE OF withheld_cents ON bookings
  FOR EACH ROW WHEN (NEW.withheld_cents > 0) EXECUTE FUNCTION order_withheld();

-- Orders the part of a payment that pays for no booking. Replicas of 1.0 leave out of rejected_cents what was refunded or lost at
-- Stripe.
CREATE FUNCTION order_rest() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rest integer := NEW.amount_cents - NEW.rejected_cents
    - (SELECT coalesce(sum(amount_cents), 0) FROM allocations WHERE payment_id = NEW.id);
BEGIN
  IF rest > 0 THEN
    UPDATE payments SET rejected_cents = rejected_cents + rest WHERE id = NEW.id;
    INSERT INTO refund_orders (payment_id, refund_cents, reason, tool_names, is_recovered)
    VALUES (NEW.id, rest, CASE WHEN NEW.hold_id IS NULL THEN 'unassigned' ELSE 'slot-lost' END, '{}', true);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER order_rest AFTER UPDATE OF unassigned_cents ON payments
  FOR EACH ROW WHEN (NEW.unassigned_cents = 0) EXECUTE FUNCTION order_rest();

-- An order may exceed what is left of its booking. The excess must not reduce other bookings of the payment.
CREATE OR REPLACE VIEW allocation_balances AS
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
  SELECT greatest(1, sum(one.amount_cents)) AS allocated,
    p.amount_cents - sum(one.amount_cents) - p.rejected_cents AS free,
    p.amount_cents - sum(least(one.refunded_cents, one.amount_cents - one.outside_cents - one.lost_cents)) - p.rejected_cents AS rest,
    greatest(0, p.disputed_cents - p.held_cents) AS lost
  FROM allocations one WHERE one.payment_id = p.id) s;
