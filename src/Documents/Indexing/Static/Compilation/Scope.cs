namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>The variables in scope at a place of a map, with their names in the generated code.</summary>
internal sealed class Scope
{
    private readonly Scope? _outer;
    private readonly Dictionary<string, string> _code = [];

    internal Scope(Scope? outer = null) => _outer = outer;

    /// <summary>The variables of this scope and those around it, the inner ones first.</summary>
    internal IEnumerable<string> Names => _outer is null ? _code.Keys : _code.Keys.Union(_outer.Names);

    internal string? Find(string name) => _code.TryGetValue(name, out string? code) ? code : _outer?.Find(name);

    internal void Set(string name, string code) => _code[name] = code;
}
