namespace Raven.Scripting.Syntax;

/// <summary>Patterns: those that declare, and literals that turn out to be targets of an assignment.</summary>
internal abstract class PatternParser(string text) : ParserCore(text)
{
    /// <summary>Shorthands with a default ({a = 1}) outside of a pattern so far.</summary>
    private readonly Dictionary<ObjectLiteral, int> _onlyPatterns = [];

    protected abstract Expression ParseAssignment();

    /// <summary>A property name: fixed, or computed in brackets.</summary>
    protected abstract (string? Name, Expression? Computed) ParsePropertyName();

    /// <summary>The literal is valid only if it turns out to be a pattern.</summary>
    protected void OnlyPattern(ObjectLiteral literal, int position) => _onlyPatterns.Add(literal, position);

    /// <summary>Called at the end of the text: a literal that did not become a pattern is an error.</summary>
    protected void CheckOnlyPatterns()
    {
        foreach ((_, int position) in _onlyPatterns)
        {
            throw Error("A shorthand property with a default is only allowed in a pattern", position);
        }
    }

    /// <summary>A name or pattern that declares.</summary>
    protected SyntaxNode ParseBindingTarget(BindingKind kind)
    {
        Enter();
        SyntaxNode target = Kind switch
        {
            TokenKind.LeftBracket => ParseArrayBinding(kind),
            TokenKind.LeftBrace => ParseObjectBinding(kind),
            _ => ParseBindingIdentifier(kind),
        };
        Leave();
        return target;
    }

    protected PatternElement ParseBindingElement(BindingKind kind)
    {
        int start = Token.Start;
        SyntaxNode target = ParseBindingTarget(kind);
        Expression? value = Eat(TokenKind.Assign) ? ParseAssignment() : null;
        NameAnonymous(target, value);
        return Finish(new PatternElement(target, value), start);
    }

    protected Identifier ParseBindingIdentifier(BindingKind kind)
    {
        int start = Token.Start;
        string name = ParseIdentifierName();
        Binding binding = Declare(name, kind, start);
        return Finish(new Identifier(name) { Scope = Scope, Binding = binding }, start);
    }

    /// <summary>A name that may be used as an identifier here.</summary>
    protected string ParseIdentifierName()
    {
        if (Kind != TokenKind.Identifier)
        {
            throw Unexpected();
        }

        string name = Token.Text!;
        if ((Function.Strict && Keywords.IsReservedInStrictCode(name))
            || (name == "yield" && Function.IsGenerator)
            || (Token.Escaped && Keywords.Find(name) != TokenKind.Identifier))
        {
            throw Unexpected();
        }

        Advance();
        return name;
    }

    /// <summary>Names an anonymous function or class after its target.</summary>
    protected static void NameAnonymous(SyntaxNode? target, Expression? value)
    {
        if (target is Identifier identifier)
        {
            NameAnonymous(identifier.Name, value);
        }
    }

    protected static void NameAnonymous(string? name, Expression? value)
    {
        if (name is null || value is null)
        {
            return;
        }

        if (value is FunctionExpression { Function: { Name: "" } function })
        {
            function.Name = name;
        }
        else if (value is ClassExpression { Name: null } body)
        {
            body.Name = name;
        }
    }

    /// <summary>Reads a literal as the pattern that it turned out to be.</summary>
    protected SyntaxNode ToAssignmentTarget(Expression expression)
    {
        switch (expression)
        {
            case Identifier identifier:
                if (Function.Strict && identifier.Name is "eval" or "arguments")
                {
                    throw Error($"'{identifier.Name}' cannot be assigned in strict code", expression.Start);
                }

                return identifier;
            case MemberExpression { Target: not OptionalChain } member:
                return member;
            case MemberExpression member when member.Target.Parenthesized:
                return member;
            case ArrayLiteral { Parenthesized: false } array:
                return ToArrayPattern(array);
            case ObjectLiteral { Parenthesized: false } literal:
                return ToObjectPattern(literal);
            default:
                throw Error("This cannot be assigned", expression.Start);
        }
    }

    private ArrayPattern ParseArrayBinding(BindingKind kind)
    {
        int start = Token.Start;
        Advance();
        List<PatternElement?> elements = [];
        SyntaxNode? rest = null;
        while (Kind != TokenKind.RightBracket)
        {
            if (Eat(TokenKind.Comma))
            {
                elements.Add(null);
                continue;
            }

            if (Eat(TokenKind.Ellipsis))
            {
                rest = ParseBindingTarget(kind);
                break;
            }

            elements.Add(ParseBindingElement(kind));
            if (Kind != TokenKind.RightBracket)
            {
                Expect(TokenKind.Comma);
            }
        }

        Expect(TokenKind.RightBracket);
        return Finish(new ArrayPattern(elements, rest), start);
    }

    private ObjectPattern ParseObjectBinding(BindingKind kind)
    {
        int start = Token.Start;
        Advance();
        List<ObjectPatternPart> parts = [];
        SyntaxNode? rest = null;
        while (Kind != TokenKind.RightBrace)
        {
            if (Eat(TokenKind.Ellipsis))
            {
                rest = ParseBindingIdentifier(kind);
                break;
            }

            parts.Add(ParseObjectBindingPart(kind));
            if (Kind != TokenKind.RightBrace)
            {
                Expect(TokenKind.Comma);
            }
        }

        Expect(TokenKind.RightBrace);
        return Finish(new ObjectPattern(parts, rest), start);
    }

    private ObjectPatternPart ParseObjectBindingPart(BindingKind kind)
    {
        int start = Token.Start;
        Token first = Token;
        if (Kind == TokenKind.Identifier)
        {
            Token next = PeekToken();
            if (next.Kind is TokenKind.Comma or TokenKind.RightBrace or TokenKind.Assign)
            {
                PatternElement element = ParseBindingElement(kind);
                return Finish(new ObjectPatternPart(first.Text, null, element), start);
            }
        }

        (string? name, Expression? computed) = ParsePropertyName();
        Expect(TokenKind.Colon);
        return Finish(new ObjectPatternPart(name, computed, ParseBindingElement(kind)), start);
    }

    private PatternElement ToElement(Expression expression)
    {
        if (expression is AssignExpression { Operator: TokenKind.Assign, Parenthesized: false } assign)
        {
            return new PatternElement(assign.Target, assign.Value) { Start = expression.Start, End = expression.End };
        }

        return new PatternElement(ToAssignmentTarget(expression), null)
        {
            Start = expression.Start,
            End = expression.End,
        };
    }

    private ArrayPattern ToArrayPattern(ArrayLiteral array)
    {
        List<PatternElement?> elements = [];
        SyntaxNode? rest = null;
        for (int i = 0; i < array.Elements.Count; i++)
        {
            Expression? element = array.Elements[i];
            if (element is SpreadElement spread)
            {
                if (i != array.Elements.Count - 1 || array.TrailingComma)
                {
                    throw Error("A rest element must be the last one", spread.Start);
                }

                rest = ToAssignmentTarget(spread.Operand);
            }
            else
            {
                elements.Add(element is null ? null : ToElement(element));
            }
        }

        return new ArrayPattern(elements, rest) { Start = array.Start, End = array.End };
    }

    private ObjectPattern ToObjectPattern(ObjectLiteral literal)
    {
        _onlyPatterns.Remove(literal);
        List<ObjectPatternPart> parts = [];
        SyntaxNode? rest = null;
        foreach (PropertyNode property in literal.Properties)
        {
            if (rest is not null)
            {
                throw Error("A rest element must be the last one", property.Start);
            }

            if (property.Kind == PropertyKind.Spread)
            {
                rest = ToAssignmentTarget(property.Value!);
            }
            else if (property.Kind == PropertyKind.Value)
            {
                parts.Add(new ObjectPatternPart(property.Name, property.Computed, ToElement(property.Value!))
                {
                    Start = property.Start,
                    End = property.End,
                });
            }
            else
            {
                throw Error("This cannot be assigned", property.Start);
            }
        }

        return new ObjectPattern(parts, rest) { Start = literal.Start, End = literal.End };
    }
}
