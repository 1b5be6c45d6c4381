using System.Collections;
using System.Text.Json;

namespace Raven.Server.Options;

/// <summary>
/// Reads the options: defaults, then settings files, then the environment, then the command line; each overrides what
/// came before it. An unknown key is refused, with the one that is most like it; in the environment, where other
/// programs set variables too, it is a warning.
/// </summary>
public static class OptionReader
{
    /// <summary>The prefix of the environment variables of the server.</summary>
    public const string EnvironmentPrefix = "RAVEN_";

    /// <summary>The settings files that are read if they exist, the later over the earlier.</summary>
    public static readonly IReadOnlyList<string> FileNames = ["appsettings.json", "settings.json"];

    private static readonly JsonDocumentOptions Lenient =
        new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };

    private static ReadOnlySpan<byte> ByteOrderMark => [0xEF, 0xBB, 0xBF];

    /// <summary>Reads and checks all options.</summary>
    /// <param name="arguments">The command line, without the arguments of <see cref="Program"/>.</param>
    /// <param name="environment">The environment variables.</param>
    /// <param name="folder">The folder of the settings files.</param>
    /// <exception cref="ServerOptionException">A key is unknown, or its value cannot be used.</exception>
    public static ServerOptions Read(IReadOnlyList<string> arguments, IDictionary environment, string folder)
    {
        ServerOptions options = ReadUnchecked(arguments, environment, folder);
        options.Check();
        return options;
    }

    /// <summary>Reads all options, also those with which a server would not start.</summary>
    internal static ServerOptions ReadUnchecked(
        IReadOnlyList<string> arguments, IDictionary environment, string folder)
    {
        var options = new ServerOptions();
        foreach (string name in FileNames)
        {
            string path = Path.Combine(folder, name);
            if (Path.Exists(path))
            {
                options = ApplyFile(options, name, ReadFile(path, name));
            }
        }

        options = ApplyEnvironment(options, environment);
        return ApplyArguments(options, arguments);
    }

    private static byte[] ReadFile(string path, string name)
    {
        try
        {
            return Directory.Exists(path)
                ? throw new ServerOptionException(name, "is a folder, not a file.")
                : File.ReadAllBytes(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ServerOptionException(name, $"cannot be read: {e.Message}");
        }
    }

    internal static ServerOptions ApplyFile(ServerOptions options, string name, byte[] json)
    {
        ReadOnlyMemory<byte> text = json.AsSpan().StartsWith(ByteOrderMark) ? json.AsMemory(3) : json;
        if (text.IsEmpty)
        {
            throw new ServerOptionException(name, "is empty; without options it holds {}.");
        }

        try
        {
            using JsonDocument document = JsonDocument.Parse(text, Lenient);
            return ApplyObject(options, document.RootElement, "", name);
        }
        catch (JsonException e)
        {
            throw new ServerOptionException(name, $"is not JSON: {e.Message}");
        }
    }

    internal static ServerOptions ApplyEnvironment(ServerOptions options, IDictionary environment)
    {
        foreach (DictionaryEntry entry in environment)
        {
            if (entry.Key is string name && name.StartsWith(EnvironmentPrefix, StringComparison.OrdinalIgnoreCase))
            {
                string key = name[EnvironmentPrefix.Length..].Replace("__", ".", StringComparison.Ordinal)
                    .Replace('_', '.');
                if (OptionTable.Find(key) is null)
                {
                    options = options with { Warnings = [.. options.Warnings, WarningOf(name, key)] };
                    continue;
                }

                options = Apply(options, key, entry.Value as string ?? "", $"the environment variable {name}");
            }
        }

        return options;
    }

    /// <summary>
    /// Other programs set variables with this prefix, too: Kubernetes makes <c>RAVEN_PORT</c> and more for a service
    /// named raven. So an unknown one does not stop the start; it is reported all the same, since it may be a
    /// misspelt setting.
    /// </summary>
    private static string WarningOf(string name, string key) =>
        $"The environment variable {name} is no setting of this server and is ignored. "
        + (OptionTable.Suggest(key) is { } near
            ? $"Did you mean {OptionTable.Find(near)!.EnvironmentName} ({near})?"
            : "No setting has a name like it; --help lists them.");

    internal static ServerOptions ApplyArguments(ServerOptions options, IReadOnlyList<string> arguments)
    {
        for (int i = 0; i < arguments.Count; i++)
        {
            string argument = arguments[i];
            if (argument is "--" || !argument.StartsWith("--", StringComparison.Ordinal))
            {
                throw new ServerOptionException(argument, "options are written --Key=Value; --help lists the keys.");
            }

            int equals = argument.IndexOf('=', StringComparison.Ordinal);
            if (equals < 0 && OptionTable.Find(argument[2..]) != null && i + 1 < arguments.Count
                && !arguments[i + 1].StartsWith("--", StringComparison.Ordinal))
            {
                options = Apply(options, argument[2..], arguments[++i], "the command line");
                continue;
            }

            string key = equals < 0 ? argument[2..] : argument[2..equals];
            options = Apply(options, key, equals < 0 ? "true" : argument[(equals + 1)..], "the command line");
        }

        return options;
    }

    private static ServerOptions ApplyObject(ServerOptions options, JsonElement element, string prefix, string source)
    {
        if (element.ValueKind != JsonValueKind.Object)
        {
            throw new ServerOptionException(source, "must hold one JSON object.");
        }

        foreach (JsonProperty property in element.EnumerateObject())
        {
            string key = prefix + TextOf(source, () => property.Name);
            options = property.Value.ValueKind switch
            {
                JsonValueKind.Object => ApplyObject(options, property.Value, key + ".", source),
                JsonValueKind.Array =>
                    throw new ServerOptionException(key, $"is a list in {source}; a key has one value."),
                JsonValueKind.String => Apply(
                    options, key, TextOf($"{key} in {source}", () => property.Value.GetString()!), source),
                JsonValueKind.Null => options,
                _ => Apply(options, key, property.Value.GetRawText(), source),
            };
        }

        return options;
    }

    /// <summary>A text of a file, whose bytes are read only when it is used.</summary>
    private static string TextOf(string place, Func<string> text)
    {
        try
        {
            return text();
        }
        catch (InvalidOperationException)
        {
            throw new ServerOptionException(place, "holds bytes that are no UTF-8, or half of a surrogate pair.");
        }
    }

    private static ServerOptions Apply(ServerOptions options, string name, string value, string source)
    {
        OptionKey? key = OptionTable.Find(name);
        if (key == null)
        {
            string? meant = OptionTable.Suggest(name);
            string hint = meant == null ? "--help lists the keys." : $"Did you mean {meant}?";
            throw new ServerOptionException(name, $"there is no such key (from {source}). {hint}");
        }

        try
        {
            return key.Apply(options, value.Trim());
        }
        catch (FormatException e)
        {
            throw new ServerOptionException(key.Name, $"{e.Message} (from {source})");
        }
    }
}
