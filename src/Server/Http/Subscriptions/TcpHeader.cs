using System.Text.Json;

namespace Raven.Server.Http.Subscriptions;

/// <summary>The first message of a connection beside HTTP: what it is for.</summary>
/// <param name="Database">The name of the database.</param>
/// <param name="Operation">What it is for.</param>
/// <param name="Version">The version of the protocol that is offered.</param>
internal sealed record TcpHeader(string Database, string Operation, int Version)
{
    /// <summary>The version that is no version.</summary>
    internal const int NoVersion = -1;

    private static readonly int[] Versions = [53_000, 51_000, 50_000, 41_400, 40];

    /// <summary>Whether the offered version is spoken here.</summary>
    internal bool IsKnown => Array.IndexOf(Versions, Version) >= 0;

    /// <summary>The highest version below the offered one; <see cref="NoVersion"/> if there is none.</summary>
    internal int Lower => Array.Find(Versions, version => version < Version) is > 0 and int lower ? lower : NoVersion;

    /// <summary>Reads a header.</summary>
    /// <exception cref="SocketProtocolException">It is none.</exception>
    internal static TcpHeader Read(JsonElement json) => new(
        Text(json, "DatabaseName") ?? "",
        Text(json, "Operation") ?? throw new SocketProtocolException("The header must have Operation, a text."),
        Find(json, "OperationVersion") is { ValueKind: JsonValueKind.Number } version
            && version.TryGetInt32(out int number)
            ? number
            : throw new SocketProtocolException("The header must have OperationVersion, a whole number."));

    /// <summary>A text; null if it is absent.</summary>
    /// <exception cref="SocketProtocolException">It is no text.</exception>
    internal static string? Text(JsonElement json, string name) => Find(json, name) switch
    {
        null or { ValueKind: JsonValueKind.Null } => null,
        { ValueKind: JsonValueKind.String } text => text.GetString(),
        _ => throw new SocketProtocolException($"{name} must be a text."),
    };

    /// <summary>A member, by its name in any case: clients write both.</summary>
    internal static JsonElement? Find(JsonElement json, string name)
    {
        foreach (JsonProperty property in json.EnumerateObject())
        {
            if (property.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return property.Value;
            }
        }

        return null;
    }
}
