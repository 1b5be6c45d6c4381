namespace Raven.Scripting.Syntax;

/// <summary>Parameters, arrow functions, and async functions, which are refused.</summary>
internal abstract class ArrowParser(string text) : PatternParser(text)
{
    /// <summary>Offsets of parentheses that are known not to open an arrow function's parameters.</summary>
    private readonly HashSet<int> _notArrows = [];

    protected abstract void ParseFunctionBody(FunctionInfo function);

    /// <summary>An arrow function, or null if the text here is something else; then nothing was consumed.</summary>
    protected FunctionExpression? TryParseArrow()
    {
        int start = Token.Start;
        if (Kind == TokenKind.Identifier)
        {
            if (!ArrowFollowsName())
            {
                return null;
            }

            RefuseAsync();
            FunctionInfo single = new(Function, Scope, FunctionKind.Arrow) { Strict = Function.Strict, Start = start };
            var outer = PushFunction(single);
            single.Parameters.Add(ParseBindingElement(BindingKind.Parameter));
            return FinishArrow(single, outer);
        }

        if (Kind != TokenKind.LeftParen || _notArrows.Contains(start) || !MayBeParameters())
        {
            return null;
        }

        return TryParseParameterList(start);
    }

    protected void ParseParameters(FunctionInfo function)
    {
        Expect(TokenKind.LeftParen);
        while (Kind != TokenKind.RightParen)
        {
            if (Eat(TokenKind.Ellipsis))
            {
                function.Rest = ParseBindingTarget(BindingKind.Parameter);
                break;
            }

            function.Parameters.Add(ParseBindingElement(BindingKind.Parameter));
            if (Kind != TokenKind.RightParen)
            {
                Expect(TokenKind.Comma);
            }
        }

        Expect(TokenKind.RightParen);
    }

    private FunctionExpression? TryParseParameterList(int start)
    {
        Checkpoint saved = Save();
        FunctionInfo function = new(Function, Scope, FunctionKind.Arrow) { Strict = Function.Strict, Start = start };
        var outer = PushFunction(function);
        bool isArrow = false;
        try
        {
            ParseParameters(function);
            isArrow = Kind == TokenKind.Arrow && !Token.NewlineBefore;
        }
        catch (ScriptSyntaxException)
        {
            // Not parameters: an ordinary expression in parentheses, which is read again.
        }

        if (isArrow)
        {
            return FinishArrow(function, outer);
        }

        Restore(saved);
        _notArrows.Add(start);
        return null;
    }

    private FunctionExpression FinishArrow(FunctionInfo function, (FunctionInfo, ScopeInfo, bool InAllowed) outer)
    {
        Expect(TokenKind.Arrow);
        if (Kind == TokenKind.LeftBrace)
        {
            ParseFunctionBody(function);
        }
        else
        {
            InAllowed = outer.InAllowed;
            function.ExpressionBody = ParseAssignment();
        }

        PopFunction(outer);
        function.End = PreviousEnd;
        return Finish(new FunctionExpression(function), function.Start);
    }

    private bool ArrowFollowsName()
    {
        ReadOnlySpan<char> rest = Lexer.Source.AsSpan(Lexer.Position);
        int i = 0;
        while (i < rest.Length && rest[i] is ' ' or '\t')
        {
            i++;
        }

        if (i + 1 < rest.Length && rest[i] == '/')
        {
            Token next = PeekToken();
            return next.Kind == TokenKind.Arrow && !next.NewlineBefore;
        }

        return rest[i..].StartsWith("=>", StringComparison.Ordinal);
    }

    /// <summary>Checks two tokens behind the parenthesis, which decides nearly every case.</summary>
    private bool MayBeParameters()
    {
        int position = Lexer.Position;
        Lexer.Next(out Token first);
        bool result = first.Kind is TokenKind.RightParen or TokenKind.Ellipsis
            or TokenKind.LeftBrace or TokenKind.LeftBracket;
        if (first.Kind == TokenKind.Identifier)
        {
            Lexer.Next(out Token second);
            result = second.Kind is TokenKind.Comma or TokenKind.Assign;
            if (second.Kind == TokenKind.RightParen)
            {
                Lexer.Next(out Token third);
                result = third.Kind == TokenKind.Arrow;
            }
        }

        Lexer.Position = position;
        return result;
    }

    protected void RefuseAsync()
    {
        if (IsWord("async") && PeekToken() is
            {
                NewlineBefore: false,
                Kind: TokenKind.Function or TokenKind.Identifier
            })
        {
            throw AsyncError(Token.Start);
        }

        if (IsWord("await") && PeekToken() is
            {
                NewlineBefore: false, Kind: TokenKind.Identifier or TokenKind.This
            or TokenKind.New or TokenKind.Function or TokenKind.Class or TokenKind.Super or TokenKind.String
            or TokenKind.Number or TokenKind.BigInt or TokenKind.Null or TokenKind.True or TokenKind.False
            })
        {
            throw AwaitError();
        }
    }

    /// <summary>Refuses an async method; the name of a member may be async.</summary>
    protected void RefuseAsyncMethod()
    {
        if (IsWord("async") && PeekToken() is
            {
                NewlineBefore: false, Kind: not (TokenKind.Comma or TokenKind.Colon
            or TokenKind.RightBrace or TokenKind.LeftParen or TokenKind.Assign or TokenKind.Semicolon)
            })
        {
            throw AsyncError(Token.Start);
        }
    }

    protected ScriptSyntaxException AsyncError(int position) =>
        Error("Async functions are not supported: a script runs to its end in one go", position);

    protected ScriptSyntaxException AwaitError() =>
        Error("'await' is not supported: a script runs to its end in one go");
}
