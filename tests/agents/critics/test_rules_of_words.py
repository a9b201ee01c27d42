"""Rules about words: descriptions, messages, names and policy against what the SQL does."""

from __future__ import annotations

from .conftest import Review

CASES = {
    "boundary_unlike_words": (
        """
- name: list_products
  description: List products.
  kind: read
  params: {max_price: {type: integer, description: "Highest price, in cents"}}
  returns: {many: "SELECT id, name, price_cents FROM products WHERE :max_price IS NULL OR price_cents <
        :max_price", order: id}
""",
        """
- name: list_products
  description: List products.
  kind: read
  params:
    max_price: {type: integer, description: "Highest price, in cents"}
    above: {type: integer, description: "Only products that cost more than this"}
  returns:
    many: |
      SELECT id, name, price_cents FROM products
      WHERE (:max_price IS NULL OR price_cents <= :max_price) AND (:above IS NULL OR :above < price_cents)
    order: id
""",
    ),
    "guard_contradicts_message": (
        """
- name: ship_order
  description: Ship an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - require: SELECT status <> 'placed' FROM orders WHERE id = :order_id
      error: {code: conflict, message: "Order {order_id} is not placed."}
    - do: UPDATE orders SET status = 'shipped' WHERE id = :order_id
""",
        """
- name: ship_order
  description: Ship an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}, quantity: {type: integer}}
  required: [order_id, due_on, quantity]
  steps:
    - let: {left: "SELECT min(p.stock) FROM items i JOIN products p ON p.id = i.product_id WHERE i.order_id =
          :order_id"}
    - require: SELECT status = 'placed' FROM orders WHERE id = :order_id
      error: {code: conflict, message: "Order {order_id} is not placed."}
    - require: SELECT status <> 'cancelled' FROM orders WHERE id = :order_id
      error: {code: conflict, message: "Order {order_id} is cancelled."}
    - require: SELECT :due_on IS NOT NULL
      error: {code: invalid_argument, message: Give a new day.}
    - require: SELECT :due_on >= :today
      error: {code: invalid_argument, message: "{due_on} is in the past."}
    - require: SELECT :quantity <= :left
      error: {code: conflict, message: "Only {left} left."}
    - require: SELECT NOT EXISTS (SELECT 1 FROM order_events WHERE order_id = :order_id AND kind = 'shipped')
      error: {code: conflict, message: It has been sent already.}
    - require: SELECT customer_id <> :actor_id FROM orders WHERE id = :order_id
      error: {code: forbidden, message: Nobody ships their own order.}
    - do: UPDATE orders SET status = 'shipped', due_on = :due_on WHERE id = :order_id
""",
    ),
    "policy_unlike_guard": (
        """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - let: {due_on: "SELECT due_on FROM orders WHERE id = :order_id"}
    - require: "SELECT :due_on < date(:today, '+2 days')"
      roles: [customer]
      error: {code: forbidden, message: "It is due on {due_on}."}
    - do: UPDATE orders SET status = 'cancelled' WHERE id = :order_id
""",
        """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - let: {due_on: "SELECT due_on FROM orders WHERE id = :order_id"}
    - require: "SELECT :due_on > date(:today, '+2 days')"
      roles: [customer]
      error: {code: forbidden, message: "It is due on {due_on}."}
    - require: "SELECT placed_at >= datetime(:now, '-2 hours') FROM orders WHERE id = :order_id"
      error: {code: conflict, message: It was placed more than two hours ago.}
    - let: {open_orders: "SELECT count(*) FROM orders WHERE status = 'placed'"}
    - require: SELECT :open_orders < 2
      error: {code: conflict, message: There are two open orders.}
    - do: UPDATE orders SET status = 'cancelled' WHERE id = :order_id
- name: return_order
  description: Take an order back.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - let: {due_on: "SELECT due_on FROM orders WHERE id = :order_id"}
    - require: "SELECT :due_on >= date(:today, '-7 days')"
      error: {code: conflict, message: "It was due on {due_on}."}
    - require: "SELECT julianday(:today) - julianday(:due_on) <= 7"
      error: {code: conflict, message: "It was due on {due_on}."}
    - do: UPDATE orders SET status = 'draft' WHERE id = :order_id
""",
    ),
    "order_unlike_words": (
        """
- name: list_orders
  description: List orders, newest first.
  kind: read
  returns: {many: "SELECT id, placed_at FROM orders", order: "placed_at, id"}
""",
        """
- name: list_orders
  description: List orders, newest first.
  kind: read
  returns: {many: "SELECT id, placed_at FROM orders", order: "placed_at DESC, id"}
- name: list_products
  description: List products.
  kind: read
  returns:
    many: SELECT id, name, price_cents FROM products
    order: {options: {cheapest: "price_cents, id", highest_price: "price_cents DESC, id", name: "name, id"},
          default: name}
""",
    ),
    "status_unlike_name": (
        """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - do: UPDATE orders SET status = 'shipped' WHERE id = :order_id
    - do: INSERT INTO order_events (order_id, kind, at) VALUES (:order_id, 'placed', :now)
""",
        """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps:
    - do: UPDATE orders SET status = 'cancelled' WHERE id = :order_id
    - do: INSERT INTO order_events (order_id, kind, at) VALUES (:order_id, 'cancelled', :now)
- name: reopen_order
  description: Put a cancelled order back.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "UPDATE orders SET status = 'draft' WHERE id = :order_id"}]
""",
    ),
    "unit_mismatch": (
        """
- name: set_price
  description: Set a price.
  kind: write
  params: {product_id: {type: integer, ref: products.id}, price: {type: number, description: The new price in
        dollars}}
  required: [product_id, price]
  steps: [{do: "UPDATE products SET price_cents = :price WHERE id = :product_id"}]
""",
        """
- name: set_price
  description: Set a price.
  kind: write
  params:
    product_id: {type: integer, ref: products.id}
    price: {type: number, description: The new price in dollars}
    minutes: {type: integer, description: Time to prepare it in minutes}
  required: [product_id, price, minutes]
  steps:
    - do: |
        UPDATE products SET price_cents = CAST(round(:price * 100) AS INTEGER), prepare_minutes = :minutes
        WHERE id = :product_id
""",
    ),
    "sign_unlike_name": (
        """
- name: deposit
  description: Put money on a balance.
  kind: write
  params: {person_id: {type: integer, ref: people.id}, amount: {type: integer, minimum: 1}}
  required: [person_id, amount]
  steps: [{do: "UPDATE people SET balance_cents = balance_cents - :amount WHERE id = :person_id"}]
""",
        """
- name: deposit
  description: Put money on a balance.
  kind: write
  params: {person_id: {type: integer, ref: people.id}, amount: {type: integer, minimum: 1}}
  required: [person_id, amount]
  steps: [{do: "UPDATE people SET balance_cents = balance_cents + :amount WHERE id = :person_id"}]
- name: transfer
  description: Move money.
  kind: write
  params: {from_id: {type: integer, ref: people.id}, to_id: {type: integer, ref: people.id}, amount: {type:
        integer, minimum: 1}}
  required: [from_id, to_id, amount]
  steps:
    - do: UPDATE people SET balance_cents = balance_cents - :amount WHERE id = :from_id
    - do: UPDATE people SET balance_cents = balance_cents + :amount WHERE id = :to_id
""",
    ),
    "default_unlike_words": (
        """
- name: list_products
  description: List products.
  kind: read
  params: {most: {type: integer, default: 20, description: How many (default 10)}}
  returns: {many: "SELECT id, name FROM products WHERE position <= :most", order: id}
""",
        """
- name: list_products
  description: List products.
  kind: read
  params:
    most: {type: integer, default: 10, minimum: 1, maximum: 50, description: "How many, 1 to 50 (default 10)"}
    name: {type: string, description: By default all}
  returns: {many: "SELECT id, name FROM products WHERE position <= :most AND (:name IS NULL OR has_word(name,
        :name))", order: id}
""",
    ),
    "duration_unlike_words": (
        """
- name: plan_visit
  description: Plan a visit of two hours.
  kind: write
  params: {starts_at: {type: string, format: date-time}}
  required: [starts_at]
  steps: [{do: "INSERT INTO visits (person_id, starts_at, ends_at) VALUES (:actor_id, :starts_at,
        datetime(:starts_at, '+2 minutes'))"}]
""",
        """
- name: plan_visit
  description: Plan a visit of two hours.
  kind: write
  params: {starts_at: {type: string, format: date-time}}
  required: [starts_at]
  steps: [{do: "INSERT INTO visits (person_id, starts_at, ends_at) VALUES (:actor_id, :starts_at,
        datetime(:starts_at, '+2 hours'))"}]
""",
    ),
    "caller_ignored": (
        """
- name: list_my_orders
  description: List the orders of the person who is signed in.
  kind: read
  returns: {many: "SELECT id, status FROM orders", order: id}
""",
        """
- name: list_my_orders
  description: List the orders of the person who is signed in.
  kind: read
  returns: {many: "SELECT id, status FROM orders WHERE customer_id = :actor_id", order: id}
- name: list_products
  description: List products with their current price.
  kind: read
  returns: {many: "SELECT id, price_cents FROM products", order: id}
""",
    ),
}


CASES["parameter_not_stored"] = (
    """
- name: move_order
  description: Move an order to another day.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}}
  required: [order_id, due_on]
  steps:
    - require: SELECT :due_on >= :today
      error: {code: invalid_argument, message: "{due_on} is in the past."}
    - do: INSERT INTO order_events (order_id, kind, at) VALUES (:order_id, 'placed', :now)
""",
    """
- name: move_order
  description: Move an order to another day.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, due_on: {type: string, format: date}, reason: {type: string}}
  required: [order_id, due_on]
  steps:
    - let: {new_day: "SELECT coalesce(:due_on, :today)"}
    - require: SELECT :reason IS NULL OR length(:reason) < 40
      error: {code: invalid_argument, message: Too long.}
    - do: UPDATE orders SET due_on = :new_day WHERE id = :order_id
- name: ship_order
  description: Ship an order to whoever knows its title.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, title: {type: string}}
  required: [order_id, title]
  steps:
    - let: {held: {row: "SELECT title FROM orders WHERE id = :order_id"}}
    - require: SELECT :title = :held_title
      error: {code: conflict, message: That is not its title.}
    - do: UPDATE orders SET status = 'shipped' WHERE id = :order_id
""",
)


def test_a_row_that_is_pointed_at_is_stored_in_what_the_tool_creates(review: Review) -> None:
    def noting(kept: str, columns: str) -> str:
        return f"""
- name: add_item
  description: Put something into an order.
  kind: write
  params: {{order_id: {{type: integer, ref: orders.id}}, product_id: {{type: integer, ref: products.id}}}}
  required: [order_id, product_id]
  steps:
    - let: {{known: "SELECT price_cents FROM products WHERE id = :product_id"}}
    - require: "SELECT :known > 0"
      error: {{code: conflict, message: It has no price.}}
    - do: INSERT INTO items ({columns}quantity) VALUES ({kept}1)
"""

    forgotten = noting(":order_id, ", "order_id, ")
    stored = noting(":order_id, :product_id, ", "order_id, product_id, ")
    found = review("parameter_not_stored", forgotten)
    assert [each.where for each in found] == ["tools.add_item.params.product_id"]
    assert review("parameter_not_stored", stored) == []
    other = forgotten.replace("product_id:", "what_id:").replace(":product_id", ":what_id")
    assert review("parameter_not_stored", other.replace(" product_id]", " what_id]")) == []


def test_a_tool_named_for_a_status_that_it_leaves_alone(review: Review) -> None:
    tool = """
- name: cancel_order
  description: Cancel an order.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}}
  required: [order_id]
  steps: [{do: "INSERT INTO order_events (order_id, kind, at) VALUES (:order_id, 'cancelled', :now)"}]
- name: ship_note
  description: Send a note along.
  kind: write
  params: {order_id: {type: integer, ref: orders.id}, text: {type: string}}
  required: [order_id, text]
  steps: [{do: "UPDATE orders SET note = :text WHERE id = :order_id"}]
"""
    assert [found.where for found in review("status_unlike_name", tool)] == ["tools.cancel_order.params.order_id"]
