namespace Raven.Scripting.Syntax;

internal sealed class EmptyStatement : Statement;

internal sealed class ExpressionStatement(Expression expression) : Statement
{
    internal Expression Expression => expression;
}

internal sealed class BlockStatement(List<Statement> body, ScopeInfo? scope) : Statement
{
    internal List<Statement> Body => body;

    internal ScopeInfo? Scope => scope;
}

internal sealed class Declarator(SyntaxNode target, Expression? value) : SyntaxNode
{
    internal SyntaxNode Target => target;

    internal Expression? Value => value;
}

internal sealed class VariableDeclaration(BindingKind kind, List<Declarator> declarators) : Statement
{
    internal BindingKind Kind => kind;

    internal List<Declarator> Declarators => declarators;
}

internal sealed class FunctionDeclaration(FunctionInfo function, Binding binding, Identifier? variable) : Statement
{
    internal FunctionInfo Function => function;

    internal Binding Binding => binding;

    /// <summary>
    /// In sloppy code a function in a block also sets a variable of its function; null if it does not.
    /// </summary>
    internal Identifier? Variable => variable;
}

internal sealed class ClassDeclaration(ClassExpression body, Binding binding) : Statement
{
    internal ClassExpression Class => body;

    internal Binding Binding => binding;
}

internal sealed class ReturnStatement(Expression? value) : Statement
{
    internal Expression? Value => value;
}

internal sealed class IfStatement(Expression test, Statement whenTrue, Statement? whenFalse) : Statement
{
    internal Expression Test => test;

    internal Statement WhenTrue => whenTrue;

    internal Statement? WhenFalse => whenFalse;
}

internal sealed class ForStatement(
    SyntaxNode? initial, Expression? test, Expression? update, Statement body, ScopeInfo? scope) : Statement
{
    /// <summary>A declaration or an expression.</summary>
    internal SyntaxNode? Initial => initial;

    internal Expression? Test => test;

    internal Expression? Update => update;

    internal Statement Body => body;

    internal ScopeInfo? Scope => scope;
}

/// <summary>for-in and for-of.</summary>
internal sealed class ForEachStatement(
    SyntaxNode target, BindingKind? declares, Expression source, Statement body, ScopeInfo? scope, bool isOf)
        : Statement
{
    /// <summary>The target of each turn: an identifier, a member or a pattern.</summary>
    internal SyntaxNode Target => target;

    /// <summary>How the target is declared; null if it is assigned.</summary>
    internal BindingKind? Declares => declares;

    internal Expression Source => source;

    internal Statement Body => body;

    internal ScopeInfo? Scope => scope;

    internal bool IsOf => isOf;
}

/// <summary>while and do-while.</summary>
internal sealed class WhileStatement(Expression test, Statement body, bool bodyFirst) : Statement
{
    internal Expression Test => test;

    internal Statement Body => body;

    internal bool BodyFirst => bodyFirst;
}

/// <summary>break and continue.</summary>
internal sealed class JumpStatement(bool isBreak, string? label) : Statement
{
    internal bool IsBreak => isBreak;

    internal string? Label => label;
}

internal sealed class ThrowStatement(Expression value) : Statement
{
    internal Expression Value => value;
}

internal sealed class TryStatement(
    BlockStatement body, SyntaxNode? parameter, ScopeInfo? catchScope, BlockStatement? handler, BlockStatement? final)
    : Statement
{
    internal BlockStatement Body => body;

    internal SyntaxNode? Parameter => parameter;

    internal ScopeInfo? CatchScope => catchScope;

    internal BlockStatement? Handler => handler;

    internal BlockStatement? Final => final;
}

internal sealed class SwitchCase(Expression? test, List<Statement> body) : SyntaxNode
{
    /// <summary>null is the default.</summary>
    internal Expression? Test => test;

    internal List<Statement> Body => body;
}

internal sealed class SwitchStatement(Expression value, List<SwitchCase> cases, ScopeInfo scope) : Statement
{
    internal Expression Value => value;

    internal List<SwitchCase> Cases => cases;

    internal ScopeInfo Scope => scope;
}

internal sealed class LabeledStatement(string label, Statement body) : Statement
{
    internal string Label => label;

    internal Statement Body => body;
}
