INSERT INTO restaurants (id, name, neighborhood, cuisine, price_level, rating, takes_large_parties) VALUES
  (31, 'Osteria Lume', 'Harbour', 'Italian', 3, 4.6, 1),
  (34, 'The Copper Kettle', 'Old Town', 'British', 2, 4.1, 0),
  (38, 'Trattoria Nove', 'Old Town', 'Italian', 2, 4.4, 0),
  (43, 'Sakura House', 'Harbour', 'Japanese', 4, 4.8, 1),
  (47, 'Casa Brava', 'Mill Quarter', 'Spanish', 2, 4.3, 1);

INSERT INTO people (id, name, email, role, restaurant_id) VALUES
  (204, 'Ada Lindqvist', 'ada.lindqvist@example.com', 'diner', NULL),
  (209, 'Ben Okafor', 'ben.okafor@example.com', 'diner', NULL),
  (213, 'Ada Lindholm', 'ada.lindholm@example.com', 'diner', NULL),
  (218, 'Chiara Rossi', 'chiara.rossi@example.com', 'diner', NULL),
  (222, 'José Álvarez', 'jose.alvarez@example.com', 'diner', NULL),
  (227, 'Mei Tanaka', 'mei.tanaka@example.com', 'diner', NULL),
  (305, 'Nadia Haddad', 'nadia.haddad@example.com', 'host', 31),
  (311, 'Tom Whitfield', 'tom.whitfield@example.com', 'host', 34),
  (316, 'Lucía Ferrer', 'lucia.ferrer@example.com', 'host', 47);

INSERT INTO dining_tables (id, restaurant_id, label, seats, features) VALUES
  (517, 31, 'L1', 2, '["window"]'),
  (520, 31, 'L2', 2, '[]'),
  (524, 31, 'L3', 4, '["window","quiet"]'),
  (529, 31, 'L4', 6, '[]'),
  (533, 31, 'L5', 6, '["quiet"]'),
  (538, 31, 'L6', 10, '["private room"]'),
  (544, 34, 'K1', 2, '[]'),
  (549, 34, 'K2', 4, '["booth"]'),
  (553, 38, 'N1', 2, '["terrace"]'),
  (558, 38, 'N2', 4, '["terrace"]'),
  (562, 38, 'N3', 5, '[]'),
  (567, 43, 'S1', 4, '["counter"]'),
  (571, 43, 'S2', 8, '["tatami"]'),
  (576, 47, 'C1', 2, '[]'),
  (580, 47, 'C2', 4, '["terrace"]'),
  (585, 47, 'C3', 8, '[]');

INSERT INTO bookings (id, confirmation_code, table_id, person_id, starts_at, ends_at, party_size, status, note, created_at, cancelled_at) VALUES
  (1806, 'TB-4QK7ZD', 524, 204, '2026-03-06 19:30:00', '2026-03-06 21:30:00', 4, 'confirmed', 'Wedding anniversary, quiet table please', '2026-02-20 11:04:00', NULL),
  (1811, 'TB-9MWX2F', 524, 204, '2026-03-07 19:30:00', '2026-03-07 21:30:00', 2, 'confirmed', NULL, '2026-02-21 08:40:00', NULL),
  (1815, 'TB-7HRT5C', 533, 213, '2026-03-06 18:30:00', '2026-03-06 20:30:00', 5, 'confirmed', 'Birthday cake at eight', '2026-02-22 19:12:00', NULL),
  (1819, 'TB-2BNV8J', 529, 209, '2026-03-06 21:30:00', '2026-03-06 23:30:00', 6, 'confirmed', NULL, '2026-02-23 10:00:00', NULL),
  (1824, 'TB-5XPL3S', 517, 218, '2026-03-06 19:00:00', '2026-03-06 21:00:00', 2, 'cancelled', NULL, '2026-02-23 12:31:00', '2026-02-27 09:15:00'),
  (1828, 'TB-8DGK6W', 538, 222, '2026-03-06 12:00:00', '2026-03-06 14:00:00', 9, 'confirmed', 'Business lunch', '2026-02-24 15:45:00', NULL),
  (1833, 'TB-3FZQ9R', 549, 209, '2026-03-02 10:30:00', '2026-03-02 12:30:00', 3, 'confirmed', NULL, '2026-02-25 17:20:00', NULL),
  (1837, 'TB-6LCM4T', 549, 227, '2026-03-06 19:00:00', '2026-03-06 21:00:00', 4, 'confirmed', NULL, '2026-02-26 09:50:00', NULL),
  (1842, 'TB-1VSB7N', 553, 218, '2026-03-06 20:00:00', '2026-03-06 22:00:00', 2, 'confirmed', NULL, '2026-02-26 13:05:00', NULL),
  (1846, 'TB-4JWD2H', 571, 222, '2026-03-13 19:00:00', '2026-03-13 21:00:00', 7, 'confirmed', 'Birthday', '2026-02-27 18:18:00', NULL),
  (1851, 'TB-9TKP5G', 580, 227, '2026-02-28 20:00:00', '2026-02-28 22:00:00', 4, 'done', NULL, '2026-02-18 10:10:00', NULL),
  (1855, 'TB-7NXR3L', 585, 204, '2026-03-01 19:00:00', '2026-03-01 21:00:00', 6, 'confirmed', NULL, '2026-02-19 16:02:00', NULL),
  (1860, 'TB-2CHF8Q', 576, 209, '2026-03-01 19:30:00', '2026-03-01 21:30:00', 2, 'confirmed', NULL, '2026-02-20 20:44:00', NULL),
  (1866, 'TB-8VQM3D', 544, 218, '2026-03-02 08:15:00', '2026-03-02 10:15:00', 2, 'seated', 'Breakfast', '2026-02-28 16:30:00', NULL);

INSERT INTO booking_events (id, booking_id, kind, at) VALUES
  (9043, 1806, 'booked', '2026-02-20 11:04:00'),
  (9047, 1811, 'booked', '2026-02-21 08:40:00'),
  (9052, 1824, 'booked', '2026-02-23 12:31:00'),
  (9058, 1824, 'cancelled', '2026-02-27 09:15:00');

INSERT INTO waitlist (id, restaurant_id, person_id, party_size, wanted_on, position, created_at) VALUES
  (71, 43, 204, 2, '2026-03-13', 1, '2026-02-25 08:00:00'),
  (75, 43, 218, 4, '2026-03-13', 2, '2026-02-25 09:30:00'),
  (82, 43, 209, 3, '2026-03-14', 3, '2026-02-26 21:10:00'),
  (86, 31, 227, 2, '2026-03-06', 1, '2026-02-27 07:45:00');
