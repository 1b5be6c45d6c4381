namespace Raven.Scripting.Syntax;

/// <summary>
/// Expressions by precedence: assignment, conditional, binary, unary, postfix. See <see cref="PrimaryParser"/>.
/// </summary>
internal abstract class ExpressionParser(string text) : PrimaryParser(text)
{
    protected override Expression ParseExpression()
    {
        int start = Token.Start;
        Expression first = ParseAssignment();
        if (Kind != TokenKind.Comma)
        {
            return first;
        }

        List<Expression> items = [first];
        while (Eat(TokenKind.Comma))
        {
            items.Add(ParseAssignment());
        }

        return Finish(new SequenceExpression(items), start);
    }

    protected override Expression ParseAssignment()
    {
        Enter();
        Expression result = ParseAssignmentCore();
        Leave();
        return result;
    }

    private Expression ParseAssignmentCore()
    {
        int start = Token.Start;
        if (Function.IsGenerator && IsWord("yield"))
        {
            return ParseYield();
        }

        if (TryParseArrow() is { } arrow)
        {
            return arrow;
        }

        Expression left = ParseConditional();
        if (Kind == TokenKind.Arrow && left is CallExpression { Callee: Identifier { Name: "async" } })
        {
            throw AsyncError(start);
        }

        if (Kind is < TokenKind.Assign or > TokenKind.QuestionQuestionAssign)
        {
            return left;
        }

        TokenKind op = Kind;
        SyntaxNode target = op == TokenKind.Assign ? ToAssignmentTarget(left) : ToSimpleTarget(left);
        Advance();
        Expression value = ParseAssignment();
        if (op is TokenKind.Assign or >= TokenKind.AndAndAssign && !left.Parenthesized)
        {
            NameAnonymous(target, value);
        }

        return Finish(new AssignExpression(op, target, value), start);
    }

    private SyntaxNode ToSimpleTarget(Expression expression) =>
        expression is Identifier or MemberExpression
            ? ToAssignmentTarget(expression)
            : throw Error("This cannot be assigned", expression.Start);

    private YieldExpression ParseYield()
    {
        int start = Token.Start;
        Function.Yields.Add(start);
        Advance();
        bool isDelegate = false;
        Expression? operand = null;
        if (!Token.NewlineBefore)
        {
            isDelegate = Eat(TokenKind.Star);
            bool ends = Kind is TokenKind.RightParen or TokenKind.RightBracket or TokenKind.RightBrace
                or TokenKind.Comma or TokenKind.Semicolon or TokenKind.Colon or TokenKind.EndOfFile or TokenKind.In
                || (Kind == TokenKind.Template && Lexer.Source[Token.Start] != '`');
            operand = isDelegate || !ends ? ParseAssignment() : null;
        }

        return Finish(new YieldExpression(operand, isDelegate), start);
    }

    private Expression ParseConditional()
    {
        int start = Token.Start;
        Expression test = ParseBinary(0);
        if (Kind != TokenKind.Question)
        {
            return test;
        }

        Advance();
        bool inAllowed = InAllowed;
        InAllowed = true;
        Expression whenTrue = ParseAssignment();
        InAllowed = inAllowed;
        Expect(TokenKind.Colon);
        return Finish(new ConditionalExpression(test, whenTrue, ParseAssignment()), start);
    }

    /// <summary>Operators of at least this precedence, left to right; chains do not recurse.</summary>
    private Expression ParseBinary(int precedenceMin)
    {
        int start = Token.Start;
        Expression left = Kind == TokenKind.PrivateName ? ParsePrivateIn(precedenceMin) : ParseUnary();
        while (true)
        {
            TokenKind op = Kind;
            int precedence = Precedence(op);
            if (precedence <= precedenceMin || (op == TokenKind.In && !InAllowed))
            {
                return left;
            }

            if (op == TokenKind.StarStar && left is UnaryExpression { Parenthesized: false })
            {
                throw Error("A unary operator before ** needs parentheses");
            }

            Advance();
            Enter();
            Expression right = ParseBinary(op == TokenKind.StarStar ? precedence - 1 : precedence);
            Leave();
            bool logical = op is TokenKind.AndAnd or TokenKind.OrOr or TokenKind.QuestionQuestion;
            if (logical)
            {
                CheckMixed(op, left, right);
            }

            left = logical
                ? Finish(new LogicalExpression(op, left, right), start)
                : Finish(new BinaryExpression(op, left, right), start);
        }
    }

    /// <summary>#x in right: a private name stands alone nowhere else.</summary>
    private PrivateInExpression ParsePrivateIn(int precedenceMin)
    {
        int start = Token.Start;
        int precedence = Precedence(TokenKind.In);
        if (PeekToken().Kind != TokenKind.In || !InAllowed || precedenceMin >= precedence)
        {
            throw Unexpected();
        }

        Identifier name = ParsePrivateName();
        Advance();
        Enter();
        Expression right = ParseBinary(precedence);
        Leave();
        return Finish(new PrivateInExpression(name, right), start);
    }

    private Identifier ParsePrivateName()
    {
        (string text, int start) = (Token.Text!, Token.Start);
        Advance();
        return Refer(text, start);
    }

    private void CheckMixed(TokenKind op, Expression left, Expression right)
    {
        if (Mixes(op, left) || Mixes(op, right))
        {
            throw Error("?? cannot be mixed with && or || without parentheses", left.Start);
        }
    }

    private static bool Mixes(TokenKind op, Expression side) =>
        side is LogicalExpression { Parenthesized: false } logical
        && (op == TokenKind.QuestionQuestion) != (logical.Operator == TokenKind.QuestionQuestion);

    private static int Precedence(TokenKind op) => op switch
    {
        TokenKind.QuestionQuestion => 1,
        TokenKind.OrOr => 2,
        TokenKind.AndAnd => 3,
        TokenKind.Bar => 4,
        TokenKind.Caret => 5,
        TokenKind.Ampersand => 6,
        TokenKind.EqualEqual or TokenKind.NotEqual or TokenKind.EqualEqualEqual or TokenKind.NotEqualEqual => 7,
        TokenKind.Less or TokenKind.Greater or TokenKind.LessEqual or TokenKind.GreaterEqual
            or TokenKind.InstanceOf or TokenKind.In => 8,
        TokenKind.ShiftLeft or TokenKind.ShiftRight or TokenKind.ShiftRightUnsigned => 9,
        TokenKind.Plus or TokenKind.Minus => 10,
        TokenKind.Star or TokenKind.Slash or TokenKind.Percent => 11,
        TokenKind.StarStar => 12,
        _ => 0,
    };

    private Expression ParseUnary()
    {
        int start = Token.Start;
        TokenKind op = Kind;
        switch (op)
        {
            case TokenKind.PlusPlus or TokenKind.MinusMinus:
                Advance();
                Enter();
                Expression target = ParseUnary();
                Leave();
                ToSimpleTarget(target);
                return Finish(new UpdateExpression(target, op == TokenKind.PlusPlus, prefix: true), start);
            case TokenKind.Plus or TokenKind.Minus or TokenKind.Not or TokenKind.Tilde
                or TokenKind.TypeOf or TokenKind.Void or TokenKind.Delete:
                Advance();
                Enter();
                Expression operand = ParseUnary();
                Leave();
                if (op == TokenKind.Delete && operand is Identifier && Function.Strict)
                {
                    throw Error("A name cannot be deleted in strict code", start);
                }

                if (op == TokenKind.Delete && operand is MemberExpression { Private: true })
                {
                    throw Error("A private member cannot be deleted", start);
                }

                return Finish(new UnaryExpression(op, operand), start);
            default:
                return ParsePostfix();
        }
    }

    private Expression ParsePostfix()
    {
        int start = Token.Start;
        Expression expression = ParseCallOrMember();
        if (Kind is TokenKind.PlusPlus or TokenKind.MinusMinus && !Token.NewlineBefore)
        {
            ToSimpleTarget(expression);
            bool increment = Kind == TokenKind.PlusPlus;
            Advance();
            return Finish(new UpdateExpression(expression, increment, prefix: false), start);
        }

        return expression;
    }

    protected Expression ParseHeritage() => ParseCallOrMember();

    private Expression ParseCallOrMember()
    {
        int start = Token.Start;
        Expression expression = Kind == TokenKind.New ? ParseNew() : ParsePrimary();
        bool isChain = false;
        while (TryParseSuffix(expression, start, callAllowed: true, ref isChain) is { } longer)
        {
            expression = longer;
        }

        return isChain ? Finish(new OptionalChain(expression), start) : expression;
    }

    /// <summary>One of .name, [x], (x), ?.x or a template behind an expression; null if none follows.</summary>
    private Expression? TryParseSuffix(Expression expression, int start, bool callAllowed, ref bool isChain)
    {
        switch (Kind)
        {
            case TokenKind.Dot:
                Advance();
                return ParseNamedMember(expression, start, optional: false);
            case TokenKind.LeftBracket:
                return ParseComputedMember(expression, start, optional: false);
            case TokenKind.LeftParen when callAllowed:
                return Finish(new CallExpression(expression, ParseArguments(), false), start);
            case TokenKind.Template when Lexer.Source[Token.Start] == '`':
                if (isChain)
                {
                    throw Error("A template cannot follow an optional chain");
                }

                return Finish(new TaggedTemplate(expression, ParseTemplate(tagged: true)), start);
            case TokenKind.QuestionDot when callAllowed:
                isChain = true;
                Advance();
                return Kind switch
                {
                    TokenKind.LeftParen => Finish(new CallExpression(expression, ParseArguments(), true), start),
                    TokenKind.LeftBracket => ParseComputedMember(expression, start, optional: true),
                    _ => ParseNamedMember(expression, start, optional: true),
                };
            default:
                return null;
        }
    }

    private MemberExpression ParseNamedMember(Expression target, int start, bool optional)
    {
        if (Kind != TokenKind.PrivateName)
        {
            return Finish(new MemberExpression(target, ParseMemberName(), null, optional), start);
        }

        return target is SuperExpression ? throw Unexpected()
            : Finish(new MemberExpression(target, null, ParsePrivateName(), optional) { Private = true }, start);
    }

    private MemberExpression ParseComputedMember(Expression target, int start, bool optional)
    {
        Advance();
        bool inAllowed = InAllowed;
        InAllowed = true;
        Expression computed = ParseExpression();
        InAllowed = inAllowed;
        Expect(TokenKind.RightBracket);
        return Finish(new MemberExpression(target, null, computed, optional), start);
    }

    private Expression ParseNew()
    {
        int start = Token.Start;
        Advance();
        if (Eat(TokenKind.Dot))
        {
            if (!IsWord("target") || !InsideFunction())
            {
                throw Unexpected();
            }

            Advance();
            return Finish(new NewTargetExpression(), start);
        }

        Enter();
        int calleeStart = Token.Start;
        Expression callee = Kind == TokenKind.New ? ParseNew() : ParsePrimary();
        bool isChain = false;
        while (TryParseSuffix(callee, calleeStart, callAllowed: false, ref isChain) is { } longer)
        {
            callee = longer;
        }

        Leave();
        if (Kind == TokenKind.QuestionDot || callee is SuperExpression)
        {
            throw Unexpected();
        }

        List<Expression> arguments = Kind == TokenKind.LeftParen ? ParseArguments() : [];
        return Finish(new NewExpression(callee, arguments), start);
    }

    private bool InsideFunction()
    {
        for (FunctionInfo? function = Function; function is not null; function = function.Parent)
        {
            if (!function.IsArrow)
            {
                return function.Kind != FunctionKind.Script;
            }
        }

        return false;
    }
}
