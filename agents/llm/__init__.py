"""Model access: any OpenAI-compatible endpoint (others through LangChain), with kept replies, budgets and prices."""

from .base import Chat as Chat
from .base import ChatReply as ChatReply
from .base import ChatRequest as ChatRequest
from .base import ModelSettings as ModelSettings
from .base import ToolCall as ToolCall
from .base import Usage as Usage
from .connecting import chat_with as chat_with
from .names import ModelName as ModelName
from .names import is_model_name as is_model_name
from .pricing import Price as Price
from .pricing import price_of as price_of
from .probing import ModelProblem as ModelProblem
from .probing import probe as probe
from .structured import structured as structured
