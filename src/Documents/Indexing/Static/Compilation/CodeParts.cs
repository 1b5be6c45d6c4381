using System.Globalization;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>Shared parts of the code of one map: constants, members, lists of names, and names for variables.</summary>
internal sealed class CodeParts
{
    private readonly Dictionary<string, string> _fields = [];
    private readonly StringBuilder _declarations = new();
    private int _variables;

    /// <param name="hasSources">Whether unknown types may be those of additional sources.</param>
    internal CodeParts(bool hasSources) => HasSources = hasSources;

    internal bool HasSources { get; }

    /// <summary>Fields of the class; not static, as statics of code that can be unloaded are slow to reach.</summary>
    internal string Declarations => _declarations.ToString();

    /// <summary>Makes a name that is not used in the class yet.</summary>
    internal string Variable(string name)
    {
        string plain = new([.. name.Where(char.IsAsciiLetterOrDigit)]);
        return string.Create(CultureInfo.InvariantCulture, $"v{_variables++}_{plain}");
    }

    /// <summary>Declares a constant.</summary>
    /// <param name="code">The expression that makes it.</param>
    internal string Constant(string code) => Field("DynamicValue", code);

    /// <summary>Declares a text as a constant.</summary>
    internal string Text(string text) => Constant($"DynamicValue.Of({Quote(text)})");

    /// <summary>
    /// Declares the name of a member: one for each place in the map, as it caches the position of the property.
    /// </summary>
    internal string Member(string name) => Declare("DynamicMember", $"new DynamicMember({Quote(name)})");

    /// <summary>Declares a list of names of properties.</summary>
    internal string Names(IEnumerable<string> names) =>
        Field("string[]", $"[{string.Join(", ", names.Select(Quote))}]");

    internal static string Quote(string text) => SymbolDisplay.FormatLiteral(text, quote: true);

    /// <summary>Marks in the code which place of the map the next part comes from.</summary>
    internal static string Mark(SyntaxNode node)
    {
        FileLinePositionSpan span = node.GetLocation().GetLineSpan();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"/*@{span.StartLinePosition.Line + 1}:{span.StartLinePosition.Character + 1}*/");
    }

    private string Field(string type, string code)
    {
        if (!_fields.TryGetValue(code, out string? name))
        {
            name = Declare(type, code);
            _fields[code] = name;
        }

        return name;
    }

    private string Declare(string type, string code)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"f{_variables++}");
        _declarations.Append("    private readonly ").Append(type).Append(' ').Append(name).Append(" = ")
            .Append(code).Append(";\n");
        return name;
    }
}
