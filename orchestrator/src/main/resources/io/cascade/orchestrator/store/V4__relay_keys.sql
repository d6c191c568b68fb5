-- A relay's registration has its key and generation from now on. Relays that registered without one register anew.
delete from relay;
