INSERT INTO people VALUES
  (41, 'Ada Lindqvist', 'customer', 5000), (44, 'Ben Okafor', 'customer', 0), (47, 'Mei Tanaka', 'customer', 1200),
  (52, 'Tom Whitfield', 'clerk', 0), (58, 'Nadia Haddad', 'clerk', 0);
INSERT INTO products VALUES
  (311, 'Kettle', 2500, 12, 10, 2), (314, 'Cup', 600, 80, 0, 1), (319, 'Tray', 1400, 30, 5, 3), (323, 'Pot', 3100, 4, 20, 4);
INSERT INTO orders VALUES
  (703, 41, 'placed', '2026-04-01 10:00:00', '2026-04-20', 3100, 'Breakfast', NULL),
  (708, 41, 'draft', '2026-04-02 11:30:00', '2026-04-21', 600, NULL, 'call first'),
  (711, 44, 'shipped', '2026-03-20 09:00:00', '2026-03-28', 2800, NULL, NULL),
  (716, 44, 'placed', '2026-04-03 16:00:00', '2026-04-22', 1400, 'Gift', NULL),
  (722, 47, 'cancelled', '2026-03-28 12:00:00', '2026-04-09', 600, NULL, NULL);
INSERT INTO items VALUES
  (91, 703, 311, 1), (94, 703, 314, 1), (97, 708, 314, 1), (101, 711, 319, 2), (106, 716, 319, 1), (109, 722, 314, 1);
INSERT INTO visits VALUES
  (21, 41, '2026-04-08 10:00:00', '2026-04-08 11:00:00'), (24, 44, '2026-04-08 11:00:00', '2026-04-08 12:00:00'),
  (27, 47, '2026-04-09 10:00:00', '2026-04-09 11:00:00');
INSERT INTO order_events VALUES (61, 703, 'placed', '2026-04-01 10:00:00'), (64, 716, 'placed', '2026-04-03 16:00:00');
