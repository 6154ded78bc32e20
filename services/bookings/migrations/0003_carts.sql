-- A cart with tools on request has several holds, one for each payment. The others name the cart's first hold, and count as one cart.
ALTER TABLE holds ADD COLUMN cart_id uuid;
