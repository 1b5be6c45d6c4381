namespace Raven.Scripting.Syntax;

/// <summary>
/// The tokens of the lexer. Words that are keywords only in places (let, of, get, yield) are identifiers.
/// </summary>
internal enum TokenKind : byte
{
    EndOfFile, Identifier, PrivateName, Number, BigInt, String, Template, RegExp,

    // Punctuators.
    LeftBrace, RightBrace, LeftParen, RightParen, LeftBracket, RightBracket,
    Dot, Ellipsis, Semicolon, Comma, Question, QuestionDot, Colon, Arrow,
    Less, Greater, LessEqual, GreaterEqual, EqualEqual, NotEqual, EqualEqualEqual, NotEqualEqual,
    Plus, Minus, Star, Slash, Percent, StarStar, PlusPlus, MinusMinus,
    ShiftLeft, ShiftRight, ShiftRightUnsigned, Ampersand, Bar, Caret, Not, Tilde,
    AndAnd, OrOr, QuestionQuestion,
    Assign, PlusAssign, MinusAssign, StarAssign, SlashAssign, PercentAssign, StarStarAssign,
    ShiftLeftAssign, ShiftRightAssign, ShiftRightUnsignedAssign, AmpersandAssign, BarAssign, CaretAssign,
    AndAndAssign, OrOrAssign, QuestionQuestionAssign,

    // Keywords.
    Break, Case, Catch, Class, Const, Continue, Debugger, Default, Delete, Do, Else, Enum, Export, Extends, False,
    Finally, For, Function, If, Import, In, InstanceOf, New, Null, Return, Super, Switch, This, Throw, True, Try,
    TypeOf, Var, Void, While, With,
}
