using System.Numerics;

namespace Raven.Scripting.Syntax;

/// <summary>A node of the tree: it spans the text from <see cref="Start"/> to <see cref="End"/>.</summary>
internal abstract class SyntaxNode
{
    internal int Start;
    internal int End;
}

internal abstract class Expression : SyntaxNode
{
    /// <summary>
    /// Written in parentheses: not a pattern, an anonymous function or a chain that can be continued.
    /// </summary>
    internal bool Parenthesized;
}

internal abstract class Statement : SyntaxNode;

internal sealed class NumberLiteral(double value) : Expression
{
    internal double Value => value;
}

internal sealed class BigIntLiteral(BigInteger value) : Expression
{
    internal BigInteger Value => value;
}

internal sealed class StringLiteral(string value) : Expression
{
    internal string Value => value;
}

/// <summary>true, false or null.</summary>
internal sealed class WordLiteral(TokenKind kind) : Expression
{
    internal TokenKind Kind => kind;
}

internal sealed class RegExpLiteral(string pattern, string flags) : Expression
{
    internal string Pattern => pattern;

    internal string Flags => flags;
}

internal sealed class TemplateLiteral(string?[] cooked, string[] raw, Expression[] holes) : Expression
{
    internal string?[] Cooked => cooked;

    internal string[] Raw => raw;

    internal Expression[] Holes => holes;
}

internal sealed class TaggedTemplate(Expression tag, TemplateLiteral template) : Expression
{
    internal Expression Tag => tag;

    internal TemplateLiteral Template => template;
}

internal sealed class ArrayLiteral(List<Expression?> elements, bool trailingComma) : Expression
{
    /// <summary>null is a hole.</summary>
    internal List<Expression?> Elements => elements;

    internal bool TrailingComma => trailingComma;
}

internal enum PropertyKind : byte
{
    Value, Getter, Setter, Spread, Method,
}

/// <summary>One property of an object literal, one member of a class, or one part of an object pattern.</summary>
internal sealed class PropertyNode : SyntaxNode
{
    internal PropertyKind Kind;

    /// <summary>The name if it is known; otherwise null, and <see cref="Computed"/> is set.</summary>
    internal string? Name;

    internal Expression? Computed;

    /// <summary>The value; a class field has null if it has no initializer.</summary>
    internal Expression? Value;

    /// <summary>The declaration of <c>#x</c>; then there is no other name.</summary>
    internal Binding? Private;

    internal bool Static;
    internal bool Field;

    /// <summary>A block that runs when the class is made: a static field without a name.</summary>
    internal bool Block;

    internal bool Shorthand;
}

internal sealed class ObjectLiteral(List<PropertyNode> properties) : Expression
{
    internal List<PropertyNode> Properties => properties;
}

internal sealed class FunctionExpression(FunctionInfo function) : Expression
{
    internal FunctionInfo Function => function;
}

internal sealed class ClassExpression : Expression
{
    internal required string? Name;
    internal required Expression? Parent;
    internal required FunctionInfo? Constructor;
    internal required List<PropertyNode> Members;
    internal required ScopeInfo Scope;
    internal required Binding? InnerName;
    internal required IReadOnlyList<PrivateMember> Privates;
}

internal sealed class Identifier(string name) : Expression
{
    internal string Name => name;

    /// <summary>The binding of the name; null for a global. Known when the whole text was read.</summary>
    internal Binding? Binding;

    /// <summary>The scope of the name.</summary>
    internal ScopeInfo? Scope;
}

internal sealed class ThisExpression : Expression;

/// <summary>Only as the object of a member or a callee.</summary>
internal sealed class SuperExpression : Expression;

internal sealed class NewTargetExpression : Expression;

internal sealed class UnaryExpression(TokenKind op, Expression operand) : Expression
{
    internal TokenKind Operator => op;

    internal Expression Operand => operand;
}

internal sealed class UpdateExpression(Expression target, bool increment, bool prefix) : Expression
{
    internal Expression Target => target;

    internal bool Increment => increment;

    internal bool Prefix => prefix;
}

internal sealed class BinaryExpression(TokenKind op, Expression left, Expression right) : Expression
{
    internal TokenKind Operator => op;

    internal Expression Left => left;

    internal Expression Right => right;
}

/// <summary>The operators that may skip their right side.</summary>
internal sealed class LogicalExpression(TokenKind op, Expression left, Expression right) : Expression
{
    internal TokenKind Operator => op;

    internal Expression Left => left;

    internal Expression Right => right;
}

internal sealed class ConditionalExpression(Expression test, Expression whenTrue, Expression whenFalse) : Expression
{
    internal Expression Test => test;

    internal Expression WhenTrue => whenTrue;

    internal Expression WhenFalse => whenFalse;
}

/// <summary>An assignment; the target of a plain one may be a pattern.</summary>
internal sealed class AssignExpression(TokenKind op, SyntaxNode target, Expression value) : Expression
{
    internal TokenKind Operator => op;

    internal SyntaxNode Target => target;

    internal Expression Value => value;
}

internal sealed class SequenceExpression(List<Expression> items) : Expression
{
    internal List<Expression> Items => items;
}

internal sealed class CallExpression(Expression callee, List<Expression> arguments, bool optional) : Expression
{
    internal Expression Callee => callee;

    internal List<Expression> Arguments => arguments;

    internal bool Optional => optional;
}

internal sealed class NewExpression(Expression callee, List<Expression> arguments) : Expression
{
    internal Expression Callee => callee;

    internal List<Expression> Arguments => arguments;
}

internal sealed class MemberExpression(Expression target, string? name, Expression? computed, bool optional)
    : Expression
{
    internal Expression Target => target;

    internal string? Name => name;

    internal Expression? Computed => computed;

    internal bool Optional => optional;

    /// <summary>target.#x: what is computed is the identifier of the private name.</summary>
    internal bool Private { get; init; }
}

/// <summary>#x in right</summary>
internal sealed class PrivateInExpression(Expression name, Expression right) : Expression
{
    /// <summary>The identifier of the private name.</summary>
    internal Expression Name => name;

    internal Expression Right => right;
}

/// <summary>The whole of a?.b.c: the part that is undefined if a is missing.</summary>
internal sealed class OptionalChain(Expression body) : Expression
{
    internal Expression Body => body;
}

internal sealed class SpreadElement(Expression operand) : Expression
{
    internal Expression Operand => operand;
}

internal sealed class YieldExpression(Expression? operand, bool isDelegate) : Expression
{
    internal Expression? Operand => operand;

    internal bool IsDelegate => isDelegate;
}

/// <summary>
/// A value that a generator keeps in its frame while it waits; made by the compiler, never by the parser.
/// </summary>
internal sealed class TemporaryExpression(int slot) : Expression
{
    internal int Slot => slot;
}

/// <summary>A call whose function and object a generator has already evaluated; made by the compiler.</summary>
internal sealed class CallWithThisExpression(Expression callee, Expression target, List<Expression> arguments)
    : Expression
{
    internal Expression Callee => callee;

    internal Expression Target => target;

    internal List<Expression> Arguments => arguments;
}
