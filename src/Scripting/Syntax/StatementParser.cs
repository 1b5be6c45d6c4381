namespace Raven.Scripting.Syntax;

/// <summary>Statements and declarations.</summary>
internal abstract class StatementParser(string text) : FunctionParser(text)
{
    private List<(string Label, bool IsLoop)> _labels = [];
    private int _loops;
    private int _switches;

    protected override void ParseStatementList(List<Statement> into, TokenKind end, bool directives)
    {
        (List<(string, bool)> labels, int loops, int switches) = (_labels, _loops, _switches);
        if (directives)
        {
            (_labels, _loops, _switches) = ([], 0, 0);
        }

        while (Kind != end)
        {
            if (Kind == TokenKind.EndOfFile)
            {
                throw Unexpected();
            }

            if (directives)
            {
                directives = ReadDirective();
            }

            into.Add(ParseListItem());
        }

        (_labels, _loops, _switches) = (labels, loops, switches);
    }

    /// <summary>Reads "use strict". False if the directives are over.</summary>
    private bool ReadDirective()
    {
        if (Kind != TokenKind.String)
        {
            return false;
        }

        if (Token is { Text: "use strict", Escaped: false })
        {
            Token next = PeekToken();
            Function.Strict |= next.NewlineBefore
                || next.Kind is TokenKind.Semicolon or TokenKind.RightBrace or TokenKind.EndOfFile;
        }

        return true;
    }

    private Statement ParseListItem()
    {
        switch (Kind)
        {
            case TokenKind.Function:
                return ParseFunctionDeclaration();
            case TokenKind.Class:
                int start = Token.Start;
                int nameStart = PeekToken().Start;
                ClassExpression body = ParseClass(nameRequired: true);
                Binding binding = Declare(body.Name!, BindingKind.Class, nameStart);
                binding.DeclaredAt = PreviousEnd;
                return Finish(new ClassDeclaration(body, binding), start);
            case TokenKind.Const:
                return ParseDeclaration(BindingKind.Const);
            case TokenKind.Identifier when IsWord("let") && LetDeclares():
                return ParseDeclaration(BindingKind.Let);
            case TokenKind.Import or TokenKind.Export:
                throw Error("Modules are not supported");
            default:
                return ParseStatement();
        }
    }

    private bool LetDeclares() =>
        PeekToken().Kind is TokenKind.Identifier or TokenKind.LeftBracket or TokenKind.LeftBrace;

    private VariableDeclaration ParseDeclaration(BindingKind kind)
    {
        int start = Token.Start;
        Advance();
        List<Declarator> declarators = [];
        do
        {
            declarators.Add(ParseDeclarator(kind, inFor: false));
        }
        while (Eat(TokenKind.Comma));
        ConsumeSemicolon();
        return Finish(new VariableDeclaration(kind, declarators), start);
    }

    private Declarator ParseDeclarator(BindingKind kind, bool inFor)
    {
        int start = Token.Start;
        int first = Scope.Bindings.Count;
        SyntaxNode target = ParseBindingTarget(kind);
        Expression? value = Eat(TokenKind.Assign) ? ParseAssignment() : null;
        NameAnonymous(target, value);
        bool isForEach = inFor && (Kind == TokenKind.In || IsWord("of"));
        if (value is null && !isForEach && (kind == BindingKind.Const || target is not Identifier))
        {
            throw Error("A declaration like this needs a value");
        }

        if (kind != BindingKind.Var)
        {
            for (int i = first; i < Scope.Bindings.Count; i++)
            {
                Scope.Bindings[i].DeclaredAt = PreviousEnd;
            }
        }

        return Finish(new Declarator(target, value), start);
    }

    private Statement ParseStatement()
    {
        Enter();
        int start = Token.Start;
        Statement statement = Finish(ParseStatementCore(start), start);
        Leave();
        return statement;
    }

    private Statement ParseStatementCore(int start)
    {
        switch (Kind)
        {
            case TokenKind.LeftBrace:
                return ParseBlock();
            case TokenKind.Semicolon:
                Advance();
                return new EmptyStatement();
            case TokenKind.Var:
                return ParseDeclaration(BindingKind.Var);
            case TokenKind.If:
                return ParseIf();
            case TokenKind.For:
                return ParseFor();
            case TokenKind.While:
                Advance();
                return new WhileStatement(ParseTest(), ParseLoopBody(), bodyFirst: false);
            case TokenKind.Do:
                return ParseDo();
            case TokenKind.Continue or TokenKind.Break:
                return ParseJump();
            case TokenKind.Return:
                return ParseReturn();
            case TokenKind.Throw:
                Advance();
                Expression thrown = Token.NewlineBefore ? throw Unexpected() : ParseExpression();
                ConsumeSemicolon();
                return new ThrowStatement(thrown);
            case TokenKind.Try:
                return ParseTry();
            case TokenKind.Switch:
                return ParseSwitch();
            case TokenKind.Debugger:
                Advance();
                ConsumeSemicolon();
                return new EmptyStatement();
            case TokenKind.With:
                throw Error("'with' is not supported");
            case TokenKind.Function or TokenKind.Class or TokenKind.Const:
                throw Unexpected();
            default:
                return ParseExpressionOrLabel(start);
        }
    }

    private Statement ParseExpressionOrLabel(int start)
    {
        if (Kind == TokenKind.Identifier && PeekToken().Kind == TokenKind.Colon)
        {
            return ParseLabeled();
        }

        Expression expression = ParseExpression();
        ConsumeSemicolon();
        return Finish(new ExpressionStatement(expression), start);
    }

    private LabeledStatement ParseLabeled()
    {
        int start = Token.Start;
        string label = ParseIdentifierName();
        Advance();
        if (_labels.Exists(one => one.Label == label))
        {
            throw Error($"The label '{label}' has already been declared", start);
        }

        bool isLoop = Kind is TokenKind.For or TokenKind.While or TokenKind.Do
            || (Kind == TokenKind.Identifier && PeekToken().Kind == TokenKind.Colon);
        _labels.Add((label, isLoop));
        Statement body = Kind == TokenKind.Function && !Function.Strict ? ParseFunctionDeclaration() : ParseStatement();
        _labels.RemoveAt(_labels.Count - 1);
        return new LabeledStatement(label, body);
    }

    private BlockStatement ParseBlock()
    {
        int start = Token.Start;
        ScopeInfo scope = PushScope();
        BlockStatement block = ParseBlockIn(scope, start);
        PopScope();
        return block;
    }

    private BlockStatement ParseBlockIn(ScopeInfo? scope, int start)
    {
        Expect(TokenKind.LeftBrace);
        List<Statement> body = [];
        ParseStatementList(body, TokenKind.RightBrace, directives: false);
        Advance();
        return Finish(new BlockStatement(body, scope), start);
    }

    private Expression ParseTest()
    {
        Expect(TokenKind.LeftParen);
        Expression test = ParseExpression();
        Expect(TokenKind.RightParen);
        return test;
    }

    private Statement ParseLoopBody()
    {
        _loops++;
        Statement body = ParseStatement();
        _loops--;
        return body;
    }

    private IfStatement ParseIf()
    {
        Advance();
        Expression test = ParseTest();
        Statement whenTrue = ParseIfBranch();
        return new IfStatement(test, whenTrue, Eat(TokenKind.Else) ? ParseIfBranch() : null);
    }

    /// <summary>Sloppy code may declare a function as the branch itself: it is treated as in a block.</summary>
    private Statement ParseIfBranch()
    {
        if (Kind != TokenKind.Function || Function.Strict)
        {
            return ParseStatement();
        }

        int start = Token.Start;
        ScopeInfo scope = PushScope();
        List<Statement> body = [ParseFunctionDeclaration()];
        PopScope();
        return Finish(new BlockStatement(body, scope), start);
    }

    private WhileStatement ParseDo()
    {
        Advance();
        Statement body = ParseLoopBody();
        Expect(TokenKind.While);
        Expression test = ParseTest();
        Eat(TokenKind.Semicolon);
        return new WhileStatement(test, body, bodyFirst: true);
    }

    private JumpStatement ParseJump()
    {
        bool isBreak = Kind == TokenKind.Break;
        int start = Token.Start;
        Advance();
        string? label = null;
        if (Kind == TokenKind.Identifier && !Token.NewlineBefore)
        {
            label = ParseIdentifierName();
            int index = _labels.FindIndex(one => one.Label == label);
            if (index < 0 || (!isBreak && !_labels[index].IsLoop))
            {
                throw Error($"There is no label '{label}' to go to", start);
            }
        }
        else if (_loops == 0 && (!isBreak || _switches == 0))
        {
            throw Error(isBreak ? "'break' stands outside of a loop or switch"
                : "'continue' stands outside of a loop", start);
        }

        ConsumeSemicolon();
        return new JumpStatement(isBreak, label);
    }

    private ReturnStatement ParseReturn()
    {
        if (Function.Kind == FunctionKind.FieldInitializer)
        {
            throw Error("'return' is not allowed in a static block");
        }

        Advance();
        bool bare = Token.NewlineBefore
            || Kind is TokenKind.Semicolon or TokenKind.RightBrace or TokenKind.EndOfFile;
        Expression? value = bare ? null : ParseExpression();
        ConsumeSemicolon();
        return new ReturnStatement(value);
    }

    private TryStatement ParseTry()
    {
        Advance();
        BlockStatement body = ParseBlock();
        SyntaxNode? parameter = null;
        ScopeInfo? scope = null;
        BlockStatement? handler = null;
        if (Eat(TokenKind.Catch))
        {
            scope = PushScope();
            if (Eat(TokenKind.LeftParen))
            {
                bool simple = Kind == TokenKind.Identifier;
                parameter = ParseBindingTarget(simple ? BindingKind.CatchParameter : BindingKind.Let);
                Expect(TokenKind.RightParen);
                foreach (Binding binding in scope.Bindings)
                {
                    binding.DeclaredAt = PreviousEnd;
                }
            }

            handler = ParseBlock();
            PopScope();
        }

        BlockStatement? final = Eat(TokenKind.Finally) ? ParseBlock() : null;
        return handler is null && final is null ? throw Unexpected()
            : new TryStatement(body, parameter, scope, handler, final);
    }

    private SwitchStatement ParseSwitch()
    {
        Advance();
        Expression value = ParseTest();
        Expect(TokenKind.LeftBrace);
        ScopeInfo scope = PushScope();
        scope.IsSwitch = true;
        _switches++;
        List<SwitchCase> cases = [];
        while (Kind != TokenKind.RightBrace)
        {
            int start = Token.Start;
            Expression? test = null;
            if (Eat(TokenKind.Case))
            {
                test = ParseExpression();
            }
            else
            {
                Expect(TokenKind.Default);
                if (cases.Exists(one => one.Test is null))
                {
                    throw Error("A switch has one default", start);
                }
            }

            Expect(TokenKind.Colon);
            List<Statement> body = [];
            while (Kind is not (TokenKind.Case or TokenKind.Default or TokenKind.RightBrace))
            {
                body.Add(Kind == TokenKind.EndOfFile ? throw Unexpected() : ParseListItem());
            }

            cases.Add(Finish(new SwitchCase(test, body), start));
        }

        _switches--;
        PopScope();
        Advance();
        return new SwitchStatement(value, cases, scope);
    }

    private Statement ParseFor()
    {
        Advance();
        if (IsWord("await"))
        {
            throw AwaitError();
        }

        Expect(TokenKind.LeftParen);
        ScopeInfo scope = PushScope();
        BindingKind? declares = Kind switch
        {
            TokenKind.Var => BindingKind.Var,
            TokenKind.Const => BindingKind.Const,
            TokenKind.Identifier when IsWord("let") && LetDeclares() => BindingKind.Let,
            _ => null,
        };
        int start = Token.Start;
        SyntaxNode? initial = null;
        InAllowed = false;
        if (declares is { } kind)
        {
            Advance();
            initial = ParseForDeclaration(kind, start);
        }
        else if (Kind != TokenKind.Semicolon)
        {
            initial = ParseExpression();
        }

        InAllowed = true;
        Statement loop = Kind == TokenKind.In || IsWord("of")
            ? ParseForEach(initial, declares, scope)
            : ParseForRest(initial, scope);
        PopScope();
        return loop;
    }

    private VariableDeclaration ParseForDeclaration(BindingKind kind, int start)
    {
        List<Declarator> declarators = [];
        do
        {
            declarators.Add(ParseDeclarator(kind, inFor: true));
        }
        while (Eat(TokenKind.Comma));
        return Finish(new VariableDeclaration(kind, declarators), start);
    }

    private ForStatement ParseForRest(SyntaxNode? initial, ScopeInfo scope)
    {
        Expect(TokenKind.Semicolon);
        Expression? test = Kind == TokenKind.Semicolon ? null : ParseExpression();
        Expect(TokenKind.Semicolon);
        Expression? update = Kind == TokenKind.RightParen ? null : ParseExpression();
        Expect(TokenKind.RightParen);
        return new ForStatement(initial, test, update, ParseLoopBody(), scope);
    }

    private ForEachStatement ParseForEach(SyntaxNode? initial, BindingKind? declares, ScopeInfo scope)
    {
        SyntaxNode target;
        if (initial is VariableDeclaration declaration)
        {
            if (declaration.Declarators is not [{ Value: null } only])
            {
                throw Error("One variable without a value is declared here", declaration.Start);
            }

            target = only.Target;
        }
        else
        {
            target = initial is null ? throw Unexpected() : ToAssignmentTarget((Expression)initial);
        }

        bool isOf = Kind != TokenKind.In;
        Advance();

        // The source is evaluated before the loop's scope exists.
        SwapScope(scope.Parent!);
        Expression source = isOf ? ParseAssignment() : ParseExpression();
        SwapScope(scope);
        Expect(TokenKind.RightParen);
        return new ForEachStatement(target, declares, source, ParseLoopBody(), scope, isOf);
    }
}
