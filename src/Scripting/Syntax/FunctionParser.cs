namespace Raven.Scripting.Syntax;

/// <summary>Functions, methods and classes.</summary>
internal abstract class FunctionParser(string text) : ExpressionParser(text)
{
    protected abstract void ParseStatementList(List<Statement> into, TokenKind end, bool directives);

    protected override void ParseFunctionBody(FunctionInfo function)
    {
        Enter();
        Expect(TokenKind.LeftBrace);
        ParseStatementList(function.Body, TokenKind.RightBrace, directives: true);
        PreviousEnd = Token.End;

        // The token behind the brace belongs to the outer code.
        Leave();
        Advance();
    }

    protected override FunctionExpression ParseFunctionExpression()
    {
        int start = Token.Start;
        Advance();
        bool isGenerator = Eat(TokenKind.Star);
        FunctionInfo function = NewFunction(FunctionKind.Normal, isGenerator, start);
        if (Kind == TokenKind.Identifier)
        {
            function.Name = isGenerator && IsWord("yield") ? throw Unexpected() : ParseIdentifierName();
        }

        string name = function.Name;
        ParseFunctionRest(function);
        if (name.Length > 0 && function.Scope.Find(name) is null)
        {
            function.OwnName = function.Scope.Add(name, BindingKind.OwnName, start);
        }

        return Finish(new FunctionExpression(function), start);
    }

    protected FunctionDeclaration ParseFunctionDeclaration()
    {
        int start = Token.Start;
        Advance();
        bool isGenerator = Eat(TokenKind.Star);
        int nameStart = Token.Start;
        string name = ParseIdentifierName();
        RequireNoGeneratorTwice(name, isGenerator, nameStart);
        Binding binding = Declare(name, BindingKind.Function, nameStart);
        if (binding.Kind is BindingKind.Var)
        {
            binding.Kind = BindingKind.Function;
        }

        Identifier? variable = null;
        if (!Scope.IsFunction && !Function.Strict && !isGenerator && VariableMayBeDeclared(name))
        {
            ScopeInfo top = Function.Scope;
            Binding target = top.Find(name) ?? top.Add(name, BindingKind.Var, nameStart);
            variable = new Identifier(name) { Scope = Scope, Binding = target, Start = nameStart, End = nameStart };
        }

        FunctionInfo function = NewFunction(FunctionKind.Normal, isGenerator, start);
        function.Name = name;
        ParseFunctionRest(function);
        FunctionDeclaration declaration = Finish(new FunctionDeclaration(function, binding, variable), start);
        Scope.Functions.Add(declaration);
        return declaration;
    }

    /// <summary>Sloppy code may declare an ordinary function of a block twice, but not a generator.</summary>
    private void RequireNoGeneratorTwice(string name, bool isGenerator, int position)
    {
        if (Scope.IsFunction || Scope.Find(name) is not { Kind: BindingKind.Function } first)
        {
            return;
        }

        if (isGenerator || Scope.Functions.Exists(one => one.Binding == first && one.Function.IsGenerator))
        {
            throw Error($"'{name}' has already been declared", position);
        }
    }

    protected override FunctionExpression ParseMethod(FunctionKind kind, bool isGenerator, int start, string? name)
    {
        FunctionInfo function = NewFunction(kind, isGenerator, start);
        function.Name = name ?? "";
        ParseFunctionRest(function);
        int expected = kind switch { FunctionKind.Getter => 0, FunctionKind.Setter => 1, _ => -1 };
        if (expected >= 0 && (function.Parameters.Count != expected || function.Rest is not null))
        {
            throw Error(expected == 0 ? "A getter has no parameter" : "A setter has one parameter", start);
        }

        return Finish(new FunctionExpression(function), start);
    }

    protected override ClassExpression ParseClass(bool nameRequired)
    {
        int start = Token.Start;
        Advance();
        Enter();
        bool outerStrict = Function.Strict;
        Function.Strict = true;
        ScopeInfo scope = PushScope();
        Binding? inner = null;
        string? name = null;
        if (Kind == TokenKind.Identifier || nameRequired)
        {
            int nameStart = Token.Start;
            name = ParseIdentifierName();
            inner = Declare(name, BindingKind.Class, nameStart);
            scope.IsClass = true;
        }

        Expression? parent = Eat(TokenKind.Extends) ? ParseLeftHandSide() : null;
        Expect(TokenKind.LeftBrace);
        (List<PropertyNode> members, FunctionInfo? constructor) = ParseMembers(parent is not null);
        PopScope();
        Function.Strict = outerStrict;
        Leave();
        Advance();
        if (inner is not null)
        {
            inner.DeclaredAt = PreviousEnd;
        }

        if (constructor is not null)
        {
            constructor.Name = name ?? "";
            (constructor.Start, constructor.End) = (start, PreviousEnd);
        }

        return Finish(
            new ClassExpression
            {
                Name = name,
                Parent = parent,
                Constructor = constructor,
                Members = members,
                Scope = scope,
                InnerName = inner,
                Privates = [.. scope.Privates.Values],
            },
            start);
    }

    /// <summary>All members up to the brace that ends the class; its constructor apart.</summary>
    private (List<PropertyNode> Members, FunctionInfo? Constructor) ParseMembers(bool isDerived)
    {
        List<PropertyNode> members = [];
        FunctionInfo? constructor = null;
        while (Kind != TokenKind.RightBrace)
        {
            if (Eat(TokenKind.Semicolon))
            {
                continue;
            }

            PropertyNode member = ParseMember(isDerived);
            bool isConstructor = member.Value is FunctionExpression
            {
                Function.Kind: FunctionKind.Constructor or FunctionKind.DerivedConstructor,
            };
            if (!isConstructor)
            {
                members.Add(member);
            }
            else
            {
                constructor = constructor is null ? ((FunctionExpression)member.Value!).Function
                    : throw Error("A class has one constructor", member.Start);
            }
        }

        return (members, constructor);
    }

    /// <summary>The operand of extends.</summary>
    protected abstract Expression ParseLeftHandSide();

    private bool VariableMayBeDeclared(string name)
    {
        for (ScopeInfo scope = Scope.Parent!; ; scope = scope.Parent!)
        {
            if (scope.Find(name) is { } found)
            {
                return !found.IsLexical && scope.IsFunction && found.Kind != BindingKind.Parameter;
            }

            if (scope.IsFunction)
            {
                return true;
            }
        }
    }

    private FunctionInfo NewFunction(FunctionKind kind, bool isGenerator, int start) =>
        new(Function, Scope, kind) { IsGenerator = isGenerator, Strict = Function.Strict, Start = start };

    private void ParseFunctionRest(FunctionInfo function)
    {
        var outer = PushFunction(function);
        ParseParameters(function);
        ParseFunctionBody(function);
        PopFunction(outer);
        function.End = PreviousEnd;
    }

    /// <summary>Whether static, get or set is the member's name itself.</summary>
    private bool NextEndsName() => PeekToken().Kind is TokenKind.LeftParen or TokenKind.Assign
        or TokenKind.Semicolon or TokenKind.RightBrace;

    private PropertyNode ParseMember(bool isDerived)
    {
        int start = Token.Start;
        PropertyNode member = new();
        if (IsWord("static") && !NextEndsName())
        {
            Advance();
            member.Static = true;
            if (Kind == TokenKind.LeftBrace)
            {
                return ParseStaticBlock(member, start);
            }
        }

        RefuseAsyncMethod();
        bool isGenerator = Eat(TokenKind.Star);
        FunctionKind kind = FunctionKind.Method;
        if (!isGenerator && (IsWord("get") || IsWord("set"))
            && !NextEndsName())
        {
            kind = IsWord("get") ? FunctionKind.Getter : FunctionKind.Setter;
            Advance();
        }

        bool quoted = Kind == TokenKind.String;
        string? privateName = ParseMemberKey(member);
        bool isField = kind == FunctionKind.Method && !isGenerator && Kind != TokenKind.LeftParen;
        if (privateName is not null)
        {
            member.Private = DeclarePrivate(privateName, isField ? null : kind, member.Static, start);
        }

        member.Kind = kind switch
        {
            FunctionKind.Getter => PropertyKind.Getter,
            FunctionKind.Setter => PropertyKind.Setter,
            _ => PropertyKind.Method,
        };
        if (isField)
        {
            ParseField(member, start);
            return Finish(member, start);
        }

        if (member is { Name: "constructor", Static: false })
        {
            if (kind != FunctionKind.Method || isGenerator)
            {
                throw Error("A constructor is neither an accessor nor a generator", start);
            }

            kind = isDerived ? FunctionKind.DerivedConstructor : FunctionKind.Constructor;
        }
        else if (member is { Name: "prototype", Static: true } && !quoted)
        {
            throw Error("A class has no static member 'prototype'", start);
        }

        member.Value = ParseMethod(kind, isGenerator, start, privateName ?? member.Name);
        return Finish(member, start);
    }

    /// <summary>Reads the name of a member. A private name is returned, and declared by the caller.</summary>
    private string? ParseMemberKey(PropertyNode member)
    {
        if (Kind != TokenKind.PrivateName)
        {
            (member.Name, member.Computed) = ParsePropertyName();
            return null;
        }

        string name = Token.Text == "#constructor"
            ? throw Error("A class has no private member '#constructor'") : Token.Text!;
        Advance();
        return name;
    }

    /// <summary>Declares a private name in the scope of the class; a getter and a setter share one.</summary>
    private Binding DeclarePrivate(string name, FunctionKind? method, bool isStatic, int position)
    {
        if (Scope.Privates.TryGetValue(name, out PrivateMember? known))
        {
            return method is { } half && known.TryComplete(half, isStatic) ? known.Binding
                : throw Error($"'{name}' has already been declared", position);
        }

        PrivateKind kind = method switch
        {
            null => PrivateKind.Field,
            FunctionKind.Getter or FunctionKind.Setter => PrivateKind.Accessor,
            _ => PrivateKind.Method,
        };
        Binding binding = Scope.Add(name, BindingKind.Const, position);
        Scope.Privates.Add(name, new PrivateMember(binding, kind, isStatic, method ?? FunctionKind.FieldInitializer));
        return binding;
    }

    /// <summary>static { }: a function of its own, run once with the class as this.</summary>
    private PropertyNode ParseStaticBlock(PropertyNode member, int start)
    {
        (member.Field, member.Block, member.Kind) = (true, true, PropertyKind.Value);
        FunctionInfo function = NewFunction(FunctionKind.FieldInitializer, isGenerator: false, start);
        var outer = PushFunction(function);
        ParseFunctionBody(function);
        PopFunction(outer);
        function.End = PreviousEnd;
        member.Value = Finish(new FunctionExpression(function), start);
        return Finish(member, start);
    }

    /// <summary>A field: its initializer is a function of its own, run for each object.</summary>
    private void ParseField(PropertyNode member, int start)
    {
        if (member.Name is "constructor" || (member.Static && member.Name == "prototype"))
        {
            throw Error($"A field cannot be named '{member.Name}'", start);
        }

        member.Field = true;
        member.Kind = PropertyKind.Value;
        FunctionInfo function = NewFunction(FunctionKind.FieldInitializer, isGenerator: false, start);
        var outer = PushFunction(function);
        if (Eat(TokenKind.Assign))
        {
            function.ExpressionBody = ParseAssignment();
            NameAnonymous(member.Private?.Name ?? member.Name, function.ExpressionBody);
        }

        PopFunction(outer);
        ConsumeSemicolon();
        function.End = PreviousEnd;
        member.Value = function.ExpressionBody is null ? null : Finish(new FunctionExpression(function), start);
    }
}
