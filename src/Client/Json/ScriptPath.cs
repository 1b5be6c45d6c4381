using System.Text.Encodings.Web;

namespace Raven.Client.Json;

/// <summary>
/// Names of properties, and paths of them, in JavaScript: names with a dash, as a naming policy may make, are not
/// valid there.
/// </summary>
internal static class ScriptPath
{
    /// <summary>The name of a property in an object literal.</summary>
    internal static string Key(string name) => IsName(name) ? name : Quoted(name);

    /// <summary>The access to a property of a value: <c>.name</c>, or <c>["first-name"]</c>.</summary>
    internal static string Of(string name) =>
        IsName(name) ? $".{name}" : $"[{Quoted(name)}]";

    /// <summary>The same for a path of <see cref="MemberPath"/>, whose names have no dots or brackets.</summary>
    internal static string OfPath(string path) => string.Concat(path.Split('.').Select(part =>
    {
        int bracket = part.IndexOf('[', StringComparison.Ordinal);
        return bracket < 0 ? Of(part) : Of(part[..bracket]) + part[bracket..];
    }));

    private static string Quoted(string name) => $"\"{JavaScriptEncoder.Default.Encode(name)}\"";

    private static bool IsName(string name) => name.Length > 0 && !char.IsAsciiDigit(name[0])
        && name.All(one => char.IsAsciiLetterOrDigit(one) || one == '_');
}
