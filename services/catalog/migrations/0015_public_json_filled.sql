DROP PROCEDURE fill_public_json();
