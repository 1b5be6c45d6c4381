using System.Runtime.CompilerServices;

namespace Raven.Scripting.Syntax;

/// <summary>Tokens, scopes, depth and errors: what every part of the parser uses.</summary>
internal abstract class ParserCore
{
    /// <summary>How deep expressions, statements, patterns and functions may nest in each other.</summary>
    internal const int DepthMax = 250;

    /// <summary>The current token.</summary>
    protected Token Token;

    /// <summary>The end of the token before.</summary>
    protected int PreviousEnd;

    /// <summary>False while the head of a for statement is read, in which <c>in</c> belongs to the statement.</summary>
    protected bool InAllowed = true;

    private readonly List<Identifier> _references = [];
    private readonly List<ScopeInfo> _scopes = [];
    private int _depth;

    protected ParserCore(string text)
    {
        Lexer = new Lexer(text);
        Function = new FunctionInfo(null, null, FunctionKind.Script);
        Scope = Function.Scope;
        _scopes.Add(Scope);
    }

    protected Lexer Lexer { get; }

    protected FunctionInfo Function { get; private set; }

    protected ScopeInfo Scope { get; private set; }

    protected IReadOnlyList<Identifier> References => _references;

    protected IReadOnlyList<ScopeInfo> Scopes => _scopes;

    protected TokenKind Kind => Token.Kind;

    protected void Advance()
    {
        PreviousEnd = Token.End;
        Lexer.Next(out Token);
        if (Token.LegacyOctal && Function.Strict)
        {
            throw Error("Octal literals and escapes are not allowed in strict code");
        }
    }

    protected bool Eat(TokenKind kind)
    {
        if (Token.Kind != kind)
        {
            return false;
        }

        Advance();
        return true;
    }

    protected void Expect(TokenKind kind)
    {
        if (!Eat(kind))
        {
            throw Unexpected();
        }
    }

    protected bool IsWord(string word) => Token.Kind == TokenKind.Identifier && !Token.Escaped && Token.Text == word;

    /// <summary>The token behind the current one.</summary>
    protected Token PeekToken()
    {
        int position = Lexer.Position;
        Lexer.Next(out Token next);
        Lexer.Position = position;
        return next;
    }

    /// <summary>The end of a statement, written or implied.</summary>
    protected void ConsumeSemicolon()
    {
        if (!Eat(TokenKind.Semicolon) && Kind is not (TokenKind.RightBrace or TokenKind.EndOfFile)
            && !Token.NewlineBefore)
        {
            throw Unexpected();
        }
    }

    protected T Finish<T>(T node, int start)
        where T : SyntaxNode
    {
        node.Start = start;
        node.End = PreviousEnd;
        return node;
    }

    protected ScriptSyntaxException Error(string message) => Lexer.Error(message, Token.Start);

    protected ScriptSyntaxException Error(string message, int position) => Lexer.Error(message, position);

    protected ScriptSyntaxException Unexpected() => Error(Kind switch
    {
        TokenKind.EndOfFile => "Unexpected end of the script",
        TokenKind.Number => "Unexpected number",
        TokenKind.String => "Unexpected string",
        TokenKind.Template => "Unexpected template",
        _ => $"Unexpected token '{Lexer.Source.AsSpan(Token.Start, Math.Min(Token.End - Token.Start, 60))}'",
    });

    /// <summary>Enters a deeper level: excessive nesting is an error, never a stack overflow.</summary>
    protected void Enter()
    {
        if (++_depth > DepthMax || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw Error("The script is nested too deeply");
        }
    }

    protected void Leave() => _depth--;

    protected ScopeInfo PushScope()
    {
        Scope = new ScopeInfo(Scope, Function, isFunction: false);
        _scopes.Add(Scope);
        return Scope;
    }

    protected void PopScope() => Scope = Scope.Parent!;

    /// <summary>Continues in another scope of the same function.</summary>
    protected void SwapScope(ScopeInfo scope) => Scope = scope;

    /// <summary>Enters a function; give the result to <see cref="PopFunction"/>.</summary>
    protected (FunctionInfo Function, ScopeInfo Scope, bool InAllowed) PushFunction(FunctionInfo function)
    {
        (FunctionInfo, ScopeInfo, bool) outer = (Function, Scope, InAllowed);
        Function = function;
        Scope = function.Scope;
        InAllowed = true;
        _scopes.Add(Scope);
        return outer;
    }

    protected void PopFunction((FunctionInfo Function, ScopeInfo Scope, bool InAllowed) outer)
    {
        Function = outer.Function;
        Scope = outer.Scope;
        InAllowed = outer.InAllowed;
    }

    protected Identifier Refer(string name, int start)
    {
        Identifier identifier = Finish(new Identifier(name) { Scope = Scope }, start);
        _references.Add(identifier);
        return identifier;
    }

    /// <summary>The state that a failed attempt must restore.</summary>
    protected Checkpoint Save() =>
        new(Lexer.Position, Token, PreviousEnd, _references.Count, _scopes.Count, _depth, Function, Scope, InAllowed);

    protected void Restore(in Checkpoint saved)
    {
        Lexer.Position = saved.Position;
        Token = saved.Token;
        PreviousEnd = saved.PreviousEnd;
        _references.RemoveRange(saved.References, _references.Count - saved.References);
        _scopes.RemoveRange(saved.Scopes, _scopes.Count - saved.Scopes);
        _depth = saved.Depth;
        Function = saved.Function;
        Scope = saved.Scope;
        InAllowed = saved.InAllowed;
    }

    protected Binding Declare(string name, BindingKind kind, int position)
    {
        if (Function.Strict && name is "eval" or "arguments")
        {
            throw Error($"'{name}' cannot be declared in strict code", position);
        }

        return kind == BindingKind.Var ? DeclareVariable(name, position) : DeclareLexical(name, kind, position);
    }

    /// <summary>A variable of the function. A parameter or function of the same name is the same variable.</summary>
    protected Binding DeclareVariable(string name, int position)
    {
        for (ScopeInfo scope = Scope; ; scope = scope.Parent!)
        {
            Binding? found = scope.Find(name);
            bool isFunctionOfBlock = found?.Kind == BindingKind.Function && !scope.IsFunction;
            if (found is not null && (found.IsLexical || isFunctionOfBlock))
            {
                throw Error($"'{name}' has already been declared", position);
            }

            if (scope.IsFunction)
            {
                return found ?? scope.Add(name, BindingKind.Var, position);
            }
        }
    }

    private Binding DeclareLexical(string name, BindingKind kind, int position)
    {
        Binding? found = Scope.Find(name);
        if (kind is not (BindingKind.Function or BindingKind.Parameter) && name == "let")
        {
            throw Error("'let' cannot be declared", position);
        }

        if (found is null)
        {
            return Scope.Add(name, kind, position);
        }

        bool mayRepeat = (kind == BindingKind.Parameter && !Function.Strict && !Function.IsArrow)
            || (kind == BindingKind.Function && !found.IsLexical && (Scope.IsFunction || !Function.Strict)
                && found.Kind != BindingKind.CatchParameter);
        if (!mayRepeat)
        {
            throw Error($"'{name}' has already been declared", position);
        }

        return found;
    }

    protected readonly record struct Checkpoint(
        int Position, Token Token, int PreviousEnd, int References, int Scopes, int Depth,
        FunctionInfo Function, ScopeInfo Scope, bool InAllowed);
}
