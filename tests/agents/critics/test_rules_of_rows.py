"""Rules about rows and columns: for each, one tool that is caught and one that must not be."""

from __future__ import annotations

CASES = {
    "write_without_key": (
        """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "UPDATE orders SET status = 'cancelled'"}]
""",
        """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "UPDATE orders SET status = 'cancelled' WHERE id = :order_id"}]
""",
    ),
    "mixed_ids": (
        """
- name: list_items
  description: List the items of an order.
  kind: read
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  returns: {many: "SELECT i.id, p.name FROM items i JOIN products p ON p.id = i.order_id WHERE i.order_id =
        :order_id", order: id}
""",
        """
- name: list_items
  description: List the items of an order.
  kind: read
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{let: {found: {row: "SELECT customer_id FROM orders WHERE id = :order_id"}}}]
  returns:
    many: |
      SELECT i.id, p.name FROM items i JOIN products p ON p.id = i.product_id JOIN orders o ON o.id = i.order_id
      WHERE i.order_id = :order_id AND o.customer_id IN (:found_customer_id, :actor_id)
    order: id
""",
    ),
    "crossed_columns": (
        """
- name: annotate
  description: Note something on an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, note: {type: string}}
  required: [order_id, note]
  steps: [{do: "UPDATE orders SET title = coalesce(:note, title) WHERE id = :order_id"}]
""",
        """
- name: annotate
  description: Note something on an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, note: {type: string}}
  required: [order_id, note]
  steps: [{do: "UPDATE orders SET note = coalesce(:note, note), title = coalesce(title, :note) WHERE id = :order_id"}]
""",
    ),
    "join_multiplies": (
        """
- name: spent
  description: What a customer has ordered for.
  kind: read
  params: {person_id: {type: integer, ref: people.id}}
  required: [person_id]
  returns:
    value: >-
          SELECT coalesce(sum(o.total_cents), 0) FROM orders o JOIN items i ON i.order_id = o.id
          WHERE o.customer_id = :person_id
""",
        """
- name: spent
  description: What a customer has ordered for.
  kind: read
  params: {person_id: {type: integer, ref: people.id}}
  required: [person_id]
  returns:
    value: |
      SELECT coalesce(sum(i.quantity * p.price_cents), 0) FROM orders o JOIN items i ON i.order_id = o.id
      JOIN products p ON p.id = i.product_id WHERE o.customer_id = :person_id
- name: stock_sold_in_bulk
  description: The stock of products that an order has in bulk.
  kind: read
  returns:
    value: SELECT sum(p.stock) FROM products p JOIN items i ON i.product_id = p.id AND i.quantity > 50
""",
    ),
    "limit_without_order": (
        """
- name: next_order
  description: The next order to pack.
  kind: read
  steps: [{let: {next: "SELECT id FROM orders WHERE status = 'placed' LIMIT 1"}}]
  returns: {one: "SELECT id, status FROM orders WHERE id = :next"}
""",
        """
- name: next_order
  description: The next order to pack.
  kind: read
  steps:
    - let: {next: "SELECT id FROM orders WHERE status = 'placed' ORDER BY placed_at, id LIMIT 1"}
    - require: SELECT EXISTS (SELECT 1 FROM orders WHERE status = 'placed' LIMIT 1)
      error: {code: not_found, message: There is none.}
  returns: {one: "SELECT id, status FROM orders WHERE id = :next LIMIT 1"}
""",
    ),
    "one_of_many": (
        """
- name: get_person
  description: A person by name.
  kind: read
  params: {name: {type: string}}
  required: [name]
  returns: {one: "SELECT id, name FROM people WHERE name = :name"}
""",
        """
- name: get_person
  description: A person with the number of orders.
  kind: read
  params: {item_id: {type: integer, ref: items.id}}
  required: [item_id]
  returns: {one: "SELECT p.id, p.name FROM people p JOIN orders o ON o.customer_id = p.id JOIN items i ON
        i.order_id = o.id WHERE i.id = :item_id"}
""",
    ),
    "filter_ignored": (
        """
- name: list_orders
  description: List orders.
  kind: read
  params: {status: {type: string, enum: [draft, placed]}}
  returns: {many: "SELECT id, status FROM orders WHERE :status IS NULL OR status = status", order: id}
""",
        """
- name: list_orders
  description: List orders.
  kind: read
  params: {status: {type: string, enum: [draft, placed]}}
  steps: [{let: {wanted: "SELECT coalesce(:status, 'placed')"}}]
  returns: {many: "SELECT id, status FROM orders WHERE status = :wanted", order: id}
""",
    ),
    "always_true": (
        """
- name: find_products
  description: Search products.
  kind: read
  params: {name: {type: string}}
  required: [name]
  returns: {many: "SELECT id, name FROM products WHERE instr(fold(name), fold(:name)) >= 0", order: id}
""",
        """
- name: find_products
  description: Search products.
  kind: read
  params: {name: {type: string}}
  required: [name]
  returns: {many: "SELECT id, name FROM products WHERE instr(fold(name), fold(:name)) > 0 AND stock >= 0", order: id}
""",
    ),
    "like_unescaped": (
        """
- name: find_products
  description: Search products.
  kind: read
  params: {name: {type: string}}
  required: [name]
  returns: {many: "SELECT id, name FROM products WHERE name LIKE '%' || :name || '%'", order: id}
""",
        """
- name: find_products
  description: Search products.
  kind: read
  params: {name: {type: string}, word: {type: string, pattern: "^[a-z]+$"}}
  required: [name]
  returns:
    many: |
      SELECT id, name FROM products WHERE has_word(name, :name) AND (:word IS NULL OR name LIKE :word || '%')
      AND name NOT LIKE 'old %'
    order: id
""",
    ),
    "date_with_datetime": (
        """
- name: list_orders
  description: List orders.
  kind: read
  params: {until: {type: string, format: date, description: The last day}}
  returns: {many: "SELECT id, placed_at FROM orders WHERE :until IS NULL OR placed_at <= :until", order: id}
""",
        """
- name: list_orders
  description: List orders.
  kind: read
  params: {until: {type: string, format: date, description: The last day}, since: {type: string, format: date}}
  returns:
    many: |
      SELECT id, placed_at FROM orders WHERE (:until IS NULL OR date(placed_at) <= :until)
      AND (:since IS NULL OR placed_at >= :since) AND due_on <= date(:today, '+90 days')
    order: id
""",
    ),
    "money_in_float": (
        """
- name: raise_price
  description: Raise a price by a tenth.
  kind: write
  params: {product_id: {type: integer, ref: products.id}}
  required: [product_id]
  steps: [{do: "UPDATE products SET price_cents = price_cents * 1.1 WHERE id = :product_id"}]
""",
        """
- name: raise_price
  description: Raise a price by a tenth.
  kind: write
  params: {product_id: {type: integer, ref: products.id}}
  required: [product_id]
  steps: [{do: "UPDATE products SET price_cents = CAST(round(price_cents * 1.1) AS INTEGER) WHERE id = :product_id"}]
""",
    ),
    "overlap_differs": (
        """
- name: arrange_visit
  description: Arrange a visit.
  kind: write
  params:
    person_id: {type: integer, ref: people.id}
    starts_at: {type: string, format: date-time}
    ends_at: {type: string, format: date-time}
  required: [person_id, starts_at, ends_at]
  steps:
    - require: >-
          SELECT NOT EXISTS (SELECT 1 FROM visits WHERE person_id = :person_id
          AND starts_at < :ends_at AND ends_at >= :starts_at)
      error: {code: conflict, message: They have a visit then.}
    - do: INSERT INTO visits (person_id, starts_at, ends_at) VALUES (:person_id, :starts_at, :ends_at)
- name: list_busy
  description: Who is busy then.
  kind: read
  params: {starts_at: {type: string, format: date-time}, ends_at: {type: string, format: date-time}}
  required: [starts_at, ends_at]
  returns: {many: "SELECT id, person_id FROM visits WHERE starts_at < :ends_at AND ends_at > :starts_at", order: id}
""",
        """
- name: arrange_visit
  description: Arrange a visit.
  kind: write
  params:
    person_id: {type: integer, ref: people.id}
    starts_at: {type: string, format: date-time}
    ends_at: {type: string, format: date-time}
  required: [person_id, starts_at, ends_at]
  steps:
    - require: >-
          SELECT NOT EXISTS (SELECT 1 FROM visits WHERE person_id = :person_id
          AND starts_at < :ends_at AND ends_at > :starts_at)
      error: {code: conflict, message: They have a visit then.}
    - do: INSERT INTO visits (person_id, starts_at, ends_at) VALUES (:person_id, :starts_at, :ends_at)
""",
    ),
}


CASES["join_repeats_rows"] = (
    """
- name: list_people
  description: List people.
  kind: read
  returns: {many: "SELECT p.id, p.name FROM people p JOIN orders o ON o.customer_id = p.id", order: id}
""",
    """
- name: list_buyers
  description: List people who have ordered something.
  kind: read
  returns: {many: "SELECT DISTINCT p.id, p.name FROM people p JOIN orders o ON o.customer_id = p.id", order: id}
- name: list_orders
  description: List orders with whose they are.
  kind: read
  returns: {many: "SELECT o.id, p.name FROM orders o JOIN people p ON p.id = o.customer_id", order: id}
- name: list_lines
  description: List orders, once for each thing in them.
  kind: read
  returns: {many: "SELECT o.id, i.quantity FROM orders o JOIN items i ON i.order_id = o.id", order: id}
- name: list_sums
  description: List people with what they have ordered.
  kind: read
  returns:
    many: |
      SELECT p.id, count(o.id) AS orders FROM people p LEFT JOIN orders o ON o.customer_id = p.id GROUP BY p.id
    order: id
""",
)
