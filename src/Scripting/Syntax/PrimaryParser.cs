using System.Numerics;
using Raven.Scripting.Text;

namespace Raven.Scripting.Syntax;

/// <summary>Literals, names, parentheses, templates and arguments.</summary>
internal abstract class PrimaryParser(string text) : ArrowParser(text)
{
    protected abstract Expression ParseExpression();

    protected abstract FunctionExpression ParseFunctionExpression();

    protected abstract FunctionExpression ParseMethod(FunctionKind kind, bool isGenerator, int start, string? name);

    protected abstract ClassExpression ParseClass(bool nameRequired);

    protected Expression ParsePrimary()
    {
        int start = Token.Start;
        Token token = Token;
        switch (token.Kind)
        {
            case TokenKind.Number:
                Advance();
                return Finish(new NumberLiteral(token.Number), start);
            case TokenKind.BigInt:
                BigInteger value = BigIntOf(token);
                Advance();
                return Finish(new BigIntLiteral(value), start);
            case TokenKind.String:
                Advance();
                return Finish(new StringLiteral(token.Text!), start);
            case TokenKind.True or TokenKind.False or TokenKind.Null:
                Advance();
                return Finish(new WordLiteral(token.Kind), start);
            case TokenKind.This:
                Advance();
                return Finish(new ThisExpression(), start);
            case TokenKind.LeftParen:
                return ParseParenthesized();
            case TokenKind.LeftBracket:
                return ParseArrayLiteral();
            case TokenKind.LeftBrace:
                return ParseObjectLiteral();
            case TokenKind.Function:
                return ParseFunctionExpression();
            case TokenKind.Class:
                return ParseClass(nameRequired: false);
            case TokenKind.Super:
                return ParseSuper();
            case TokenKind.Slash or TokenKind.SlashAssign:
                return ParseRegExp();
            case TokenKind.Template when Lexer.Source[token.Start] == '`':
                return ParseTemplate(tagged: false);
            default:
                RefuseAsync();
                return Refer(ParseIdentifierName(), start);
        }
    }

    /// <summary>A name behind a dot: keywords are allowed.</summary>
    protected string ParseMemberName()
    {
        if (Token.Text is null
            || Kind is TokenKind.String or TokenKind.Template or TokenKind.RegExp or TokenKind.PrivateName)
        {
            throw Unexpected();
        }

        string name = Token.Text;
        Advance();
        return name;
    }

    protected override (string? Name, Expression? Computed) ParsePropertyName()
    {
        switch (Kind)
        {
            case TokenKind.String:
                string text = Token.Text!;
                Advance();
                return (text, null);
            case TokenKind.Number:
                double number = Token.Number;
                Advance();
                return (NumberText.Format(number), null);
            case TokenKind.BigInt:
                string digits = BigIntText.Format(BigIntOf(Token), 10);
                Advance();
                return (digits, null);
            case TokenKind.LeftBracket:
                Advance();
                bool inAllowed = InAllowed;
                InAllowed = true;
                Expression computed = ParseAssignment();
                InAllowed = inAllowed;
                Expect(TokenKind.RightBracket);
                return (null, computed);
            default:
                return (ParseMemberName(), null);
        }
    }

    protected List<Expression> ParseArguments()
    {
        Expect(TokenKind.LeftParen);
        bool inAllowed = InAllowed;
        InAllowed = true;
        List<Expression> arguments = [];
        while (Kind != TokenKind.RightParen)
        {
            arguments.Add(ParseSpreadable());
            if (Kind != TokenKind.RightParen)
            {
                Expect(TokenKind.Comma);
            }
        }

        InAllowed = inAllowed;
        Expect(TokenKind.RightParen);
        return arguments;
    }

    protected TemplateLiteral ParseTemplate(bool tagged)
    {
        int start = Token.Start;
        List<string?> cooked = [];
        List<string> raw = [];
        List<Expression> holes = [];
        while (true)
        {
            if (Token.Text is null && !tagged)
            {
                throw Error("This escape is not valid in a template");
            }

            cooked.Add(Token.Text);
            raw.Add(Token.Raw!);
            if (Token.TemplateTail)
            {
                break;
            }

            Advance();
            bool inAllowed = InAllowed;
            InAllowed = true;
            holes.Add(ParseExpression());
            InAllowed = inAllowed;
            if (Kind != TokenKind.RightBrace)
            {
                throw Unexpected();
            }

            Lexer.RescanAsTemplate(ref Token);
        }

        Advance();
        return Finish(new TemplateLiteral([.. cooked], [.. raw], [.. holes]), start);
    }

    private Expression ParseParenthesized()
    {
        Advance();
        bool inAllowed = InAllowed;
        InAllowed = true;
        Expression inner = ParseExpression();
        InAllowed = inAllowed;
        Expect(TokenKind.RightParen);
        inner.Parenthesized = true;
        return inner;
    }

    private ArrayLiteral ParseArrayLiteral()
    {
        int start = Token.Start;
        Advance();
        bool inAllowed = InAllowed;
        InAllowed = true;
        List<Expression?> elements = [];
        bool trailingComma = false;
        while (Kind != TokenKind.RightBracket)
        {
            if (Eat(TokenKind.Comma))
            {
                elements.Add(null);
                continue;
            }

            elements.Add(ParseSpreadable());
            trailingComma = false;
            if (Kind != TokenKind.RightBracket)
            {
                Expect(TokenKind.Comma);
                trailingComma = true;
            }
        }

        InAllowed = inAllowed;
        Advance();
        return Finish(new ArrayLiteral(elements, trailingComma), start);
    }

    private Expression ParseSpreadable()
    {
        int start = Token.Start;
        return Eat(TokenKind.Ellipsis) ? Finish(new SpreadElement(ParseAssignment()), start) : ParseAssignment();
    }

    private ObjectLiteral ParseObjectLiteral()
    {
        int start = Token.Start;
        Advance();
        bool inAllowed = InAllowed;
        InAllowed = true;
        List<PropertyNode> properties = [];
        int onlyPattern = -1;
        while (Kind != TokenKind.RightBrace)
        {
            PropertyNode property = ParseProperty();
            properties.Add(property);
            if (property is { Shorthand: true, Value: AssignExpression } && onlyPattern < 0)
            {
                onlyPattern = property.Start;
            }

            if (Kind != TokenKind.RightBrace)
            {
                Expect(TokenKind.Comma);
            }
        }

        InAllowed = inAllowed;
        Advance();
        ObjectLiteral literal = Finish(new ObjectLiteral(properties), start);
        if (onlyPattern >= 0)
        {
            OnlyPattern(literal, onlyPattern);
        }

        return literal;
    }

    private PropertyNode ParseProperty()
    {
        int start = Token.Start;
        if (Eat(TokenKind.Ellipsis))
        {
            return Finish(new PropertyNode { Kind = PropertyKind.Spread, Value = ParseAssignment() }, start);
        }

        PropertyNode property = new();
        RefuseAsyncMethod();
        bool isGenerator = Eat(TokenKind.Star);
        Token first = Token;
        bool isAccessor = !isGenerator && (IsWord("get") || IsWord("set"))
            && PeekToken().Kind is not (TokenKind.Comma or TokenKind.RightBrace or TokenKind.Colon
                or TokenKind.LeftParen or TokenKind.Assign);
        if (isAccessor)
        {
            Advance();
        }

        (property.Name, property.Computed) = ParsePropertyName();
        if (isAccessor)
        {
            bool getter = first.Text == "get";
            property.Kind = getter ? PropertyKind.Getter : PropertyKind.Setter;
            property.Value = ParseMethod(
                getter ? FunctionKind.Getter : FunctionKind.Setter, isGenerator: false, start, property.Name);
        }
        else if (isGenerator || Kind == TokenKind.LeftParen)
        {
            property.Kind = PropertyKind.Method;
            property.Value = ParseMethod(FunctionKind.Method, isGenerator, start, property.Name);
        }
        else if (Eat(TokenKind.Colon))
        {
            property.Value = ParseAssignment();
            NameAnonymous(property.Name, property.Value);
        }
        else
        {
            ParseShorthand(property, first);
        }

        return Finish(property, start);
    }

    private void ParseShorthand(PropertyNode property, in Token name)
    {
        if (name.Kind != TokenKind.Identifier || (Function.Strict && Keywords.IsReservedInStrictCode(name.Text!)))
        {
            throw Unexpected();
        }

        property.Shorthand = true;
        Identifier identifier = Refer(name.Text!, name.Start);
        property.Value = identifier;
        if (Eat(TokenKind.Assign))
        {
            Expression value = ParseAssignment();
            NameAnonymous(identifier, value);
            property.Value = Finish(new AssignExpression(TokenKind.Assign, identifier, value), name.Start);
        }
    }

    private SuperExpression ParseSuper()
    {
        int start = Token.Start;
        Advance();
        FunctionInfo? home = Function;
        while (home is { IsArrow: true })
        {
            home = home.Parent;
        }

        bool allowed = Kind switch
        {
            TokenKind.LeftParen => Function.Kind == FunctionKind.DerivedConstructor,
            TokenKind.Dot or TokenKind.LeftBracket => home!.Kind is FunctionKind.Method or FunctionKind.Getter
                or FunctionKind.Setter or FunctionKind.Constructor or FunctionKind.DerivedConstructor
                or FunctionKind.FieldInitializer,
            _ => false,
        };
        return allowed ? Finish(new SuperExpression(), start) : throw Error("'super' is not allowed here", start);
    }

    private BigInteger BigIntOf(in Token token)
    {
        ReadOnlySpan<char> digits = Lexer.Source.AsSpan(token.Start, token.End - token.Start - 1);
        return BigIntText.Read(digits, out BigInteger value) == BigIntText.Outcome.Read ? value
            : throw Error("The BigInt is too large", token.Start);
    }

    private RegExpLiteral ParseRegExp()
    {
        int start = Token.Start;
        Lexer.RescanAsRegExp(ref Token);
        (string pattern, string flags) = (Token.Text!, Token.Raw!);
        if (RegExpTranslator.Check(pattern, flags) is { } reason)
        {
            throw Error($"Invalid regular expression: {reason}", start);
        }

        Advance();
        return Finish(new RegExpLiteral(pattern, flags), start);
    }
}
