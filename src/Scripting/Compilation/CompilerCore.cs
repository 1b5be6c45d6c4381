using System.Runtime.CompilerServices;
using Raven.Scripting.Execution;
using Raven.Scripting.Syntax;
using Raven.Scripting.Text;

namespace Raven.Scripting.Compilation;

/// <summary>What all parts of the compiler use: the scope, names, depth, slots.</summary>
internal abstract class CompilerCore(FunctionInfo function, string source)
{
    /// <summary>After so many levels of nesting, the compiled tree checks whether the stack has room.</summary>
    private const int GuardEvery = 24;

    private int _depth;

    protected FunctionInfo Function => function;

    protected string Source => source;

    protected ScopeInfo Scope { get; set; } = function.Scope;

    protected bool Strict => function.Strict;

    protected int NewSlot(int count = 1)
    {
        int slot = function.SlotCount;
        function.SlotCount += count;
        return slot;
    }

    protected ScriptSyntaxException Error(string message, SyntaxNode node) => new(message, source, node.Start);

    /// <summary>Enters a deeper level; true if the node made here needs a guard.</summary>
    protected bool Enter(SyntaxNode node)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw Error("The script is nested too deeply", node);
        }

        return ++_depth % GuardEvery == 0;
    }

    protected void Leave() => _depth--;

    protected TargetNode CompileName(Identifier identifier, bool initialize = false) =>
        identifier.Binding is { } binding
            ? CompileBinding(binding, initialize, identifier.Start)
            : new GlobalNode(identifier.Name, Strict) { Position = identifier.Start };

    protected TargetNode CompileBinding(Binding binding, bool initialize, int position)
    {
        AssignMode mode = initialize ? AssignMode.Initialize : binding.Kind switch
        {
            BindingKind.Const => AssignMode.Refuse,
            BindingKind.OwnName => Strict ? AssignMode.Refuse : AssignMode.Ignore,
            BindingKind.Class when binding.Scope.IsClass => AssignMode.Refuse,
            _ => AssignMode.Assign,
        };
        bool isChecked = binding.NeedsCheck && !initialize;
        if (!binding.Captured)
        {
            return new LocalNode(binding.Slot, binding.Name, isChecked, mode) { Position = position };
        }

        return new CapturedNode(HopsTo(binding.Scope), binding.Slot, binding.Name, isChecked, mode)
        {
            Position = position,
        };
    }

    /// <summary>The text of an expression for a message, cut to a line.</summary>
    protected string TextOf(SyntaxNode node)
    {
        string text = source[node.Start..Math.Max(node.Start, node.End)].Trim();
        int line = text.AsSpan().IndexOfAny('\r', '\n');
        return MessageText.Cut(line < 0 ? text : text[..line] + "...");
    }

    /// <summary>The entry of a block: marks the names not yet declared and makes its functions.</summary>
    protected Node[] CompileEntry(ScopeInfo scope)
    {
        List<Node> entry = [];
        List<TargetNode> cleared = [];
        foreach (Binding binding in scope.Bindings)
        {
            if (binding.IsLexical && (binding.NeedsCheck || binding.Captured)
                && (!binding.Captured || scope.IsFunction))
            {
                cleared.Add(CompileBinding(binding, initialize: true, binding.DeclaredAt));
            }
        }

        if (cleared.Count > 0)
        {
            entry.Add(new ClearBindingsNode([.. cleared]));
        }

        foreach (FunctionDeclaration declaration in scope.Functions)
        {
            TargetNode target = CompileBinding(declaration.Binding, initialize: true, declaration.Start);
            entry.Add(new AssignNode(target, new FunctionNode(CompileFunction(declaration.Function))));
        }

        return [.. entry];
    }

    protected abstract FunctionCode CompileFunction(FunctionInfo info, FieldNode[]? fields = null);

    private int HopsTo(ScopeInfo target)
    {
        int hops = 0;
        for (ScopeInfo scope = Scope; scope != target; scope = scope.Parent!)
        {
            hops += scope.CapturedCount > 0 ? 1 : 0;
        }

        return hops;
    }
}
