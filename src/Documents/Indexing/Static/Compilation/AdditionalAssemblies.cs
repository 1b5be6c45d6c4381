using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>Assemblies that a definition names for its maps and sources: their paths, and the namespaces that maps
/// can use.</summary>
/// <param name="Paths">The files.</param>
/// <param name="Usings">The namespaces.</param>
internal sealed record AdditionalAssemblies(IReadOnlyList<string> Paths, IReadOnlyList<string> Usings)
{
    /// <summary>No assemblies and no namespaces.</summary>
    internal static AdditionalAssemblies None { get; } = new([], []);

    /// <summary>Whether there are any.</summary>
    internal bool Any => Paths.Count > 0 || Usings.Count > 0;

    /// <summary>Finds the assemblies of a definition.</summary>
    /// <param name="json">The list in the definition; null for none.</param>
    /// <exception cref="MapSyntaxException">One of them does not exist, or is named in an unsupported way.</exception>
    internal static AdditionalAssemblies Find(string? json)
    {
        if (json is null)
        {
            return None;
        }

        List<string> paths = [];
        List<string> usings = [];
        using JsonDocument list = JsonDocument.Parse(json);
        if (list.RootElement.ValueKind != JsonValueKind.Array)
        {
            throw Wrong("AdditionalAssemblies must be a list.");
        }

        foreach (JsonElement one in list.RootElement.EnumerateArray())
        {
            if (one.ValueKind != JsonValueKind.Object)
            {
                throw Wrong("AdditionalAssemblies must be a list of objects.");
            }

            if (Text(one, "PackageName") is { } package)
            {
                throw Wrong(
                    $"The package '{package}' is not fetched: give assemblies by AssemblyName or AssemblyPath.");
            }

            if ((Text(one, "AssemblyPath") ?? Text(one, "AssemblyName")) is { } asked)
            {
                paths.Add(Text(one, "AssemblyPath") is null ? PathOfName(asked) : PathOfFile(asked));
            }

            if (one.TryGetProperty(nameof(Usings), out JsonElement names) && names.ValueKind == JsonValueKind.Array)
            {
                usings.AddRange(names.EnumerateArray().Select(name => name.ToString()).Where(IsNamespace));
            }
        }

        return paths.Count == 0 && usings.Count == 0 ? None : new AdditionalAssemblies(paths, usings);
    }

    [UnconditionalSuppressMessage("SingleFile", "IL3000:AvoidAccessingAssemblyFilePathWhenPublishingAsSingleFile",
        Justification = "An assembly that is in no file is told of as one that is not there.")]
    private static string PathOfName(string name)
    {
        try
        {
            string path = Assembly.Load(new AssemblyName(name)).Location;
            if (path.Length > 0)
            {
                return path;
            }
        }
        catch (Exception failure) when (failure is IOException or BadImageFormatException or ArgumentException)
        {
            // Any failure counts as: this server does not have such an assembly.
        }

        throw Wrong($"Cannot find the assembly '{name}' (AdditionalAssemblies).");
    }

    private static string PathOfFile(string path)
    {
        try
        {
            AssemblyName.GetAssemblyName(path);
            return Path.GetFullPath(path);
        }
        catch (Exception failure) when (failure is IOException or BadImageFormatException or ArgumentException
            or UnauthorizedAccessException or System.Security.SecurityException)
        {
            throw Wrong($"Cannot read the assembly '{path}' (AdditionalAssemblies): {failure.Message}");
        }
    }

    private static bool IsNamespace(string name) =>
        name.Length > 0 && name.All(one => char.IsLetterOrDigit(one) || one is '.' or '_');

    private static string? Text(JsonElement one, string name) =>
        one.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            && value.GetString() is { Length: > 0 } text
            ? text
            : null;

    private static MapSyntaxException Wrong(string message) => new(message, 1, 1);
}
