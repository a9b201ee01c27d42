INSERT INTO managers VALUES (71, 'Ilse Brandt'), (74, 'Noor Haddad');
INSERT INTO dining_tables VALUES (212, 'A', 2), (217, 'B', 4), (219, 'C', 4), (226, 'D', 6), (231, 'E', 8);
INSERT INTO layouts VALUES (61, 'B and C', 8, 1), (64, 'D and E', 14, 1), (69, 'A and B', 6, 1);
INSERT INTO layout_tables VALUES (61, 217), (61, 219), (64, 226), (64, 231), (69, 212), (69, 217);
INSERT INTO reservations VALUES
  (903, 'Weber', 2, 'confirmed', NULL, 212, NULL), (907, 'Okafor', 4, 'confirmed', NULL, 217, NULL),
  (912, 'Silva', 7, 'confirmed', NULL, NULL, 61), (915, 'Tanaka', 3, 'confirmed', NULL, NULL, NULL),
  (921, 'Moreau', 5, 'cancelled', '2026-05-01 12:00:00', NULL, NULL), (926, 'Novak', 6, 'confirmed', NULL, 226, NULL);
INSERT INTO rewards VALUES (31, 907, 'applied'), (37, 921, 'returned');
