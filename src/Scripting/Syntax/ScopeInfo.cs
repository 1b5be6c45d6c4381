namespace Raven.Scripting.Syntax;

/// <summary>A block, function or catch clause that declares names.</summary>
internal sealed class ScopeInfo(ScopeInfo? parent, FunctionInfo function, bool isFunction)
{
    private Dictionary<string, Binding>? _byName;
    private Dictionary<string, PrivateMember>? _privates;

    internal ScopeInfo? Parent => parent;

    internal FunctionInfo Function => function;

    /// <summary>The outermost scope of its function: parameters, variables and the top of the body.</summary>
    internal bool IsFunction => isFunction;

    internal bool IsSwitch;

    /// <summary>Holds only the name of a class inside of itself.</summary>
    internal bool IsClass;

    /// <summary>The private names of the class whose scope it is, by their text.</summary>
    internal Dictionary<string, PrivateMember> Privates => _privates ??= new(StringComparer.Ordinal);

    internal List<Binding> Bindings { get; } = [];

    /// <summary>The functions declared here; they exist from the scope's first statement on.</summary>
    internal List<FunctionDeclaration> Functions { get; } = [];

    /// <summary>How many values live in a heap scope of their own; 0 if none is captured.</summary>
    internal int CapturedCount;

    internal Binding? Find(string name) =>
        _byName is not null && _byName.TryGetValue(name, out Binding? binding) ? binding : null;

    internal Binding Add(string name, BindingKind kind, int position)
    {
        Binding binding = new(name, kind, this, position);
        (_byName ??= new Dictionary<string, Binding>(StringComparer.Ordinal))[name] = binding;
        Bindings.Add(binding);
        return binding;
    }
}
