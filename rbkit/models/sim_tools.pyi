# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.models.sim_episodes import EpisodeStep
from rbkit.models.sim_episodes import Form
from rbkit.models.sim_household import HouseholdAgent
from collections.abc import Iterable
from rbkit.models.sim_episodes import Lesson
from collections.abc import Mapping
from rbkit.models.sim_episodes import Move
from typing import NamedTuple
from random import Random
from collections.abc import Sequence
from dataclasses import dataclass
import re
'It reads a request for the words that it knows, and takes the short way unless somebody told it better'
__all__ = ['HABITS', 'CALLS', 'CALLS_NOT', 'Said', 'said_in', 'Way', 'Habit', 'filled', 'way_of', 'Talk', 'talk_of', 'planned', 'next_call', 'tool_lessons', 'tool_warnings', 'solution_as_episode', 'conversation_lessons', 'repl_steps', 'ToolsAgent']
_FILE = '[\\w\\-]+\\.(?:txt|pdf|docx?|csv|py|md|json|js|css|html|log|xlsx?|jpg|png)'
_QUOTED = re.compile('(?<!\\w)[\'\\"“‘`](.+?)[\'\\"”’`](?!\\w)')

class Said(NamedTuple):
    """What a request offers as arguments, each in the order of the text"""
    file: tuple[str, ...]
    quoted: tuple[str, ...]
    text: tuple[str, ...]
    number: tuple[str, ...]
    symbol: tuple[str, ...]
    place: tuple[str, ...]
    day: tuple[str, ...]
    cabin: tuple[str, ...]

def _once(found):
    ...
_MONTHS = ('January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December')
_DAY = re.compile(f"\\b({'|'.join(_MONTHS)}) (\\d{{1,2}})(?:st|nd|rd|th)?,? (20\\d\\d)")
_PLACE = re.compile('\\b(?:from|to|between|and|in|at|of) ((?:[A-Z][a-z]+)(?: [A-Z][a-z]+){0,2})')

def _days(request):
    ...

def said_in(request: str) -> Said:
    """What a request offers"""

class Way(NamedTuple):
    """A row of calls"""
    words: str
    calls: tuple[str, ...]

@dataclass(frozen=True)
class Habit:
    """A kind of request, the short way that comes to mind, and the right one"""
    about: str
    cue: str
    short: Way
    right: Way

def _same(about, cue, words, *calls):
    """A habit in which the first thing that comes to mind is right"""

def _gap(name, said, results):
    """What fills a gap, as a literal, or None"""

def filled(way: Way, said: Said, results: Mapping[str, str]) -> list[str]:
    """The calls of a way for a request"""
_FILES = (Habit('hidden files', "\\bhidden\\b(?!.*(?:don't|not) list)", Way('ls', ('ls()',)), Way('ls with a', ('ls(a=True)',))), _same('folders to enter', '(?:[Gg]o (?:in)?to|[Pp]op on over to|[Nn]avigate to|[Ee]nter) (?:the )?[\'\\"]?\\w+[\'\\"]? (?:folder|directory)', 'cd', 'cd(folder={quoted})'), _same('folders to make', '(?:fresh|new|set up a|create a) (?:folder|directory)', 'mkdir', 'mkdir(dir_name={quoted})'), _same('storage in use', '\\bdisk usage|storage usage|human.read', 'du', 'du(human_readable=True)'), _same('files to find by name', '\\b(?:find|locate|gather|search|list|identify)\\b.*\\bname', 'find', "find(path='.', name={quoted})"), _same('files to rename', '\\brenam', 'mv', 'mv(source={file}, destination={file2})'), _same('files to make', '(?:creat|new file|craft|draft|producing|initiat)\\w*.{0,60}\\.\\w{2,4}\\b', 'touch', 'touch(file_name={file})'), _same('texts to write', '\\b(?:jot|write|put|infuse|record|content)\\b.*[\'\\"].{4,}[\'\\"].*|Infuse', 'echo', 'echo(content={text}, file_name={file})'), Habit('words to count', '\\bwords?\\b', Way('wc', ('wc(file_name={file})',)), Way('wc with mode w', ("wc(file_name={file}, mode='w')",))), Habit('characters to count', '\\bcharacters?\\b', Way('wc', ('wc(file_name={file})',)), Way('wc with mode c', ("wc(file_name={file}, mode='c')",))), _same('lines to count', '(?:how many|number of|count).{0,20}\\blines\\b', 'wc with mode l', "wc(file_name={file}, mode='l')"), _same('contents to show', "(?:what's inside|(?:display|show|read|view|see|reveal).{0,30}content|look at)", 'cat', 'cat(file_name={file})'), _same('files to sort', '\\bsort|\\balphabetical', 'sort', 'sort(file_name={file})'), Habit('last lines to show', '\\blast (?:line|entry|\\d+ lines)', Way('tail', ('tail(file_name={file})',)), Way('tail with lines', ('tail(file_name={file}, lines=1)',))), _same('lines to find', '\\bgrep\\b|occurrence|lines? (?:that |which )?(?:contain|featur|mention|with)|every mention', 'grep', 'grep(file_name={file}, pattern={quoted})'), _same('files to compare', '\\bcompare|difference|identical|juxtapose|alteration', 'diff', 'diff(file_name1={file}, file_name2={file2})'), Habit('copies with another name', '\\b(?:copy|replicate|duplicate)\\b.*(?:renam|name it|preserved as)', Way('cp', ('cp(source={file}, destination={quoted})',)), Way('cp and cd and mv', ('cp(source={file}, destination={quoted})', 'cd(folder={quoted})', 'mv(source={file}, destination={file2})'))))
_DOORS = "lockDoors(unlock=False, door=['driver', 'passenger', 'rear_left', 'rear_right'])"
_START = "startEngine(ignitionMode='START')"
_VEHICLE = (Habit('engines to start', '\\b(?:[Ss]tart|[Ii]gnite|fire up|crank|power up)\\w*\\b.{0,40}\\b(?:engine|car|vehicle|motor)', Way('startEngine', (_START,)), Way('lockDoors and pressBrakePedal and startEngine', (_DOORS, 'pressBrakePedal(pedalPosition=1.0)', _START))), _same('tire pressure', '\\b[Tt]ires?\\b', 'check_tire_pressure', 'check_tire_pressure()'), _same('tire shops', '(?:nearest|closest).{0,30}(?:tire|service|shop|place|facility)|\\btires?\\b.*\\b(?:shop|service)', 'find_nearest_tire_shop', 'find_nearest_tire_shop()'), Habit('distances between cities', '\\b(?:distance|far|travel\\w*|trip|journey)\\b.*(?:between|from|to) [A-Z]', Way('estimate_distance', ('estimate_distance(cityA={place}, cityB={place2})',)), Way('get_zipcode_based_on_city and estimate_distance', ('get_zipcode_based_on_city(city={place})', 'get_zipcode_based_on_city(city={place2})', 'estimate_distance(cityA={earlier:zipcode}, cityB={result:zipcode})'))), _same('whether the fuel suffices', '\\b(?:capable|capacity|feasib|suffic|enough|handle|reach)', 'estimate_drive', 'estimate_drive_feasibility_by_mileage(distance={result:distance})'), Habit('fuel in liters', '\\b(?:fill|fuel|add|refuel)\\b.*\\b(\\d+) ?lit(?:er|re)s', Way('fillFuelTank', ('fillFuelTank(fuelAmount={number})',)), Way('liter_to_gallon and fillFuelTank', ('liter_to_gallon(liter={number})', 'fillFuelTank(fuelAmount={result:gallon})'))), _same('full tanks', '\\btank\\b.*\\bfull\\b|\\b(?:fill|full).{0,20}\\btank\\b.*(?:up|full|complet)', 'fillFuelTank to the brim', "displayCarStatus(option='fuel')", 'fillFuelTank(fuelAmount={missing:fuelLevel})'), _same('fuel in gallons', '\\b(?:fill|fuel|add|refuel|top up)\\w*\\b.*\\bgallons?', 'fillFuelTank', 'fillFuelTank(fuelAmount={number})'), _same('parking brakes', '(?:engage|activate|set|apply).{0,20}(?:parking|hand) ?brake', 'activateParkingBrake', "activateParkingBrake(mode='engage')"))
_TRADING = (_same('prices of stocks', '\\b(?:[Ss]tock|price|shares)\\b', 'get_stock_info', 'get_stock_info(symbol={symbol})'), _same('stocks of a sector', '\\b[Tt]ech(?:nology)?\\b.*\\b(?:stocks|sector|companies)|(?:stocks|sector).*\\b[Tt]ech', 'get_available_stocks', "get_available_stocks(sector='Technology')"), _same('stocks to drop', '(?:eliminate|remove|drop|take|delete)\\b.*\\b(?:list|watchlist)', 'remove_stock', 'remove_stock_from_watchlist(symbol={symbol})'), _same('accounts to fund', '\\b(?:fund|deposit|add|inject|top up)\\b.*\\$\\d.*\\baccount|\\bdeposit', 'fund_account', 'fund_account(amount={number})'), _same('stocks to watch', '(?:add|integrate|include|put|slip).*watch ?list', 'add_to_watchlist', 'add_to_watchlist(stock={symbol})'), _same('watch lists', "watch ?list|stocks I'm (?:still )?(?:watching|following|tracking)|list of stocks", 'get_watchlist', 'get_watchlist()'), Habit('orders at the price of the day', '\\b(?:buy|order|purchase)\\b.*\\bshares\\b', Way('place_order', ("place_order(order_type='Buy', symbol={symbol}, price={number2}, amount={number})",)), Way('get_stock_info and place_order', ('get_stock_info(symbol={symbol})', "place_order(order_type='Buy', symbol={symbol}, price={result:price}, amount={number})"))), _same('details of an order', '\\border\\b', 'get_order_details', 'get_order_details(order_id={result:order_id})'), _same('orders to cancel', '\\b(?:cancel|revoke|annul|retract)\\w*\\b.*\\border|\\border\\b.*\\b(?:cancel|revoke)', 'cancel_order', 'cancel_order(order_id={result:order_id})'), _same('accounts', '\\baccount\\b', 'get_account_info', 'get_account_info()'), _same('the time', 'current (?:market )?time|what time|market (?:status|open)', 'get_current_time', 'get_current_time()'))
_OTHERS = (_same('costs of flights', '\\b(?:flight|fly|cost|ticket|fare)', 'get_flight_cost', 'get_flight_cost(travel_from={symbol}, travel_to={symbol2}, travel_date={day}, travel_class={cabin})'), _same('flights to book', '\\b(?:book|secure|reserve|arrange|schedule)\\b.*\\b(?:flight|ticket|it)\\b', 'book_flight', 'book_flight(access_token={result:access_token}, card_id={result:card_id}, travel_date={day}, travel_from={symbol}, travel_to={symbol2}, travel_class={cabin})'), _same('airports of a city', '(?:nearest|closest|around).*airport|airports', 'get_nearest_airport_by_city', 'get_nearest_airport_by_city(location={quoted})'), _same('invoices', '\\binvoice', 'retrieve_invoice', 'retrieve_invoice(access_token={result:access_token}, booking_id={result:booking_id})'), _same('bookings to cancel', '\\b[Cc]ancel\\w*\\b.*\\b(?:booking|flight|trip|reservation)|(?:booking|flight|trip)\\b.*\\bcancel', 'cancel_booking', 'cancel_booking(access_token={result:access_token}, booking_id={result:booking_id})'), _same('messages that were sent', '(?:view|show|see|list|check|display|review).*messages?.*(?:sent|dispatched)|messages? (?:I|you|is|that)[^.]*sent', 'view_messages_sent', 'view_messages_sent()'), Habit('posts', '\\b(?:tweet|post)\\b.*[\'\\"].{8,}[\'\\"]', Way('post_tweet', ('post_tweet(content={text})',)), Way('authenticate_twitter and post_tweet', ('authenticate_twitter(username={quoted}, password={quoted2})', 'post_tweet(content={text})'))), _same('posts to repeat', '\\bretweet|amplif', 'retweet', 'retweet(tweet_id={result:id})'), _same('comments', '\\bcomment\\b', 'comment', 'comment(tweet_id={result:id}, comment_content={quoted})'), _same('tickets to read', '(?:retrieve|details?|find|get|open up|check).*\\bticket\\b.*\\d', 'get_ticket', 'get_ticket(ticket_id={number})'), _same('tickets to resolve', '\\bresolve', 'resolve_ticket', 'resolve_ticket(ticket_id={result:id}, resolution={quoted})'))
HABITS = (*_FILES, *_VEHICLE, *_TRADING, *_OTHERS)
CALLS = Form('Requests about {about}.', ('How to serve {about}', 'Calls for {about}'), ('For requests about {about}, call: {words}.', 'What was right for {about}: {words}.'))
CALLS_NOT = Form('Requests about {about}.', ('How not to serve {about}', 'No calls for {about}'), ('For requests about {about}, do not only call: {words}.', 'What was not right for {about}: {words}.'))

def way_of(habit: Habit, system: str, rng: Random, p_discover: float=0.0) -> Way:
    """The way that an attempt takes"""

class Talk(NamedTuple):
    """A conversation so far"""
    request: str
    made: tuple[str, ...]
    files: tuple[str, ...]
    results: dict[str, str]
    tools: frozenset[str]

def _fields(text, found):
    """Enter the plain fields of a JSON text, however deep"""
_TANK = 50

def _enter(name, x, found):
    """Enter a field, and what it was before; of a level of fuel, what is missing"""
_LISTED = re.compile('^(?:New tools|Tools): (.*)$', re.M)
_USER = re.compile('User: (.*?)(?=\\n(?:New tools|Tools): |\\Z)', re.S)

def talk_of(steps: Sequence[EpisodeStep]) -> Talk:
    """What a history says of a conversation"""
_TOLD = dict(access_token='(?:token|access code)\\w*(?: is| of|:)? [\'\\"]?([\\w]{6,})', card_id='(?:card\\b.{0,20}?\\bid|card) (?:of |is )?[\'\\"]?([\\w-]*\\d[\\w-]*)', booking_id='booking (?:id|code) [\'\\"]?([\\w-]*\\d[\\w-]*)')

def _told(request, results):
    """Enter the fields that a request tells"""

def planned(talk: Talk, system: str, seed: int, p_discover: float=0.0) -> list[str]:
    """All calls that a request is thought to need, made ones among them"""

def _next_of(way, said, talk):
    """The calls of a way as far as they can be filled by now"""

def next_call(talk: Talk, system: str, seed: int, p_discover: float=0.0) -> str:
    """The call to make now"""

def _called(code):
    """The call that a step makes, in a history or in a REPL"""

def _observed(output):
    """What a printed result says, as a turn agent would see it"""

def _turns(episode):
    """(request, calls) of each turn that an episode shows"""

def _went(way, calls):
    """Are the calls of a way among some, by tool and by the names of what was given?"""

def _shown(episode, form):
    """Advice in one form about what an episode did"""

def tool_lessons(episode: str) -> Iterable[Lesson]:
    """What a success teaches"""

def tool_warnings(episode: str) -> Iterable[Lesson]:
    """What a failure teaches"""

def solution_as_episode(goal: str, solution: str) -> str:
    """The first request of a solution as if it had been served"""

def conversation_lessons(sections: Mapping[str, str], rng: Random, p_reword: float=0.0) -> list[dict[str, str]]:
    """What attempts at a conversation teach: successes if there are any, else failures"""
_QUESTION = re.compile('Variable: `question`.*?Preview:\\s*```\\s*(.*?)\\s*```', re.S)

def repl_steps(system: str, user: str) -> list[EpisodeStep]:
    """The history of a REPL as steps of calls"""
_LAST = 'The user has no more requests.'

def _code(call, late):
    """A call as code"""

@dataclass(frozen=True)
class ToolsAgent(HouseholdAgent):
    """Serves a user's requests by habits that it has, and by those that it is told"""

    def respond(self, system: str, user: str, seed: int) -> str:
        """What it says to a request; a pure function"""

    def lessons(self, sections: Mapping[str, str], rng: Random) -> list[dict[str, str]]:
        """What the attempts in a request teach"""

    def reached(self, goal: str, episode: str) -> bool:
        """Did the conversation come to its end?"""

    def call(self, steps: Sequence[EpisodeStep], system: str, seed: int) -> str:
        """The call to make now"""

    def act(self, system: str, goal: str, history: str, seed: int) -> Move:
        """What to do next"""

def _brought(steps):
    """Names of tools that came after the beginning"""
