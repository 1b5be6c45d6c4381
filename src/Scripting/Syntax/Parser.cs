namespace Raven.Scripting.Syntax;

/// <summary>
/// Reads a script: a recursive descent whose depth is capped, so that no text overflows the stack. The layers are
/// <see cref="ParserCore"/>, <see cref="PatternParser"/>, <see cref="ArrowParser"/>, <see cref="PrimaryParser"/>,
/// <see cref="ExpressionParser"/>, <see cref="FunctionParser"/>, <see cref="StatementParser"/>. When the text is read,
/// every name is resolved to its declaration, and every declaration gets its place in a frame or, if an inner function
/// captures it, in a scope.
/// </summary>
internal sealed class Parser : StatementParser
{
    private Parser(string text)
        : base(text)
    {
    }

    /// <summary>Reads a text as the body of a function with these parameters; a return at the top is allowed.</summary>
    /// <exception cref="ScriptSyntaxException">The text is not a script.</exception>
    internal static FunctionInfo Parse(string text, ReadOnlySpan<string> parameters)
    {
        Parser parser = new(text);
        return parser.ParseScript(parameters);
    }

    protected override Expression ParseLeftHandSide()
    {
        Enter();
        int start = Token.Start;
        Expression expression = ParseHeritage();
        if (expression is UnaryExpression or BinaryExpression)
        {
            throw Error("A class extends a name, a member or a call", start);
        }

        Leave();
        return expression;
    }

    private FunctionInfo ParseScript(ReadOnlySpan<string> parameters)
    {
        foreach (string name in parameters)
        {
            Binding binding = Scope.Add(name, BindingKind.Parameter, 0);
            Function.Parameters.Add(new PatternElement(new Identifier(name)
            {
                Binding = binding, Scope =
                Scope
            }, null));
        }

        Advance();
        ParseStatementList(Function.Body, TokenKind.EndOfFile, directives: true);
        Function.End = Lexer.Source.Length;
        CheckOnlyPatterns();
        foreach (Identifier reference in References)
        {
            Resolve(reference);
            if (reference.Binding is null && reference.Name.StartsWith('#'))
            {
                throw Error(
                    $"Private field '{reference.Name}' must be declared in an enclosing class", reference.Start);
            }

            if (reference.Binding is null)
            {
                (Function.Globals ??= new Dictionary<string, int>(StringComparer.Ordinal)).TryAdd(
                    reference.Name, reference.Start);
            }
        }

        foreach (ScopeInfo scope in Scopes)
        {
            AssignSlots(scope);
        }

        return Function;
    }

    private static void Resolve(Identifier reference)
    {
        ScopeInfo from = reference.Scope!;
        for (ScopeInfo? scope = from; scope is not null; scope = scope.Parent)
        {
            Binding? binding = scope.Find(reference.Name);
            FunctionInfo function = scope.Function;
            bool isArguments = reference.Name == "arguments" && scope.IsFunction
                && function.Kind is not (FunctionKind.Arrow or FunctionKind.Script);
            if (isArguments && (binding is null || binding.Kind == BindingKind.Var))
            {
                binding ??= scope.Add("arguments", BindingKind.Arguments, 0);
                function.Arguments = binding;
            }

            if (binding is null)
            {
                continue;
            }

            reference.Binding = binding;
            bool outside = binding.Scope.Function != from.Function;
            binding.Captured |= outside;
            binding.NeedsCheck |= binding.IsLexical
                && (outside || reference.Start < binding.DeclaredAt || binding.Scope.IsSwitch);
            return;
        }
    }

    private static void AssignSlots(ScopeInfo scope)
    {
        FunctionInfo function = scope.Function;
        if (scope.IsFunction)
        {
            function.SlotCount = function.Parameters.Count;
        }

        foreach (Binding binding in scope.Bindings)
        {
            if (binding.Captured)
            {
                binding.Slot = scope.CapturedCount++;
                continue;
            }

            int parameter = !scope.IsFunction ? -1
                : function.Parameters.FindLastIndex(one => one.Target is Identifier id && id.Binding == binding);
            binding.Slot = parameter >= 0 ? parameter : function.SlotCount++;
        }
    }
}
