using System.Buffers;
using System.Globalization;
using System.Text.Json;
using System.Text.Unicode;
using Raven.Documents.Catalog;
using Raven.Documents.Sweeps;
using Raven.Security.Rights;

namespace Raven.Server.Http.Security;

//   BODY-1  A body that says who may do what is read by one parser, and has one meaning: a member that is there twice,
//           in whatever spelling, or that differs from a known one only in case, refuses the whole.
//   BODY-2  What is missing or misspelled never stands for more than was asked for: a clearance and a right have one
//           spelling each, and there is no default for them.

/// <summary>The body of a request that says who may do what, read strictly. Immutable.</summary>
internal sealed class IdentityBody
{
    /// <summary>The most bytes of one.</summary>
    internal const int SizeBytesMax = 1 << 20;

    private const int NameLengthMax = 256;
    private const int DatabasesMax = 10_000;
    private const int ShownLengthMax = 64;

    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = 8 };

    private readonly Dictionary<string, JsonElement> _members;

    private IdentityBody(Dictionary<string, JsonElement> members)
    {
        _members = members;
    }

    /// <summary>Reads the body of a request, which must be an object.</summary>
    /// <param name="request">The request; a warning in its answer names members that are not known.</param>
    /// <param name="known">The members that are known.</param>
    /// <exception cref="BadRequestException">It cannot be read, or could mean more than one thing.</exception>
    internal static async ValueTask<IdentityBody> ReadAsync(RequestContext request, string[] known)
    {
        ReadOnlyMemory<byte> bytes = await ReadBytesAsync(request).ConfigureAwait(false);
        Dictionary<string, JsonElement> members = Parse(bytes);
        if (members.Count > request.Server.Options.PropertiesMax)
        {
            throw Bad($"The body has {members.Count} members (Limits.PropertiesMax).");
        }

        List<string> unknown = [];
        foreach (string name in members.Keys.Where(name => !known.Contains(name, StringComparer.Ordinal)))
        {
            if (known.FirstOrDefault(one => one.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } meant)
            {
                throw Bad($"The body has a member '{name}'; here it is '{meant}'.");
            }

            unknown.Add(name);
        }

        UnknownMembers.Warn(request, unknown);
        return new IdentityBody(members);
    }

    /// <summary>Whether it has a member, null or not.</summary>
    internal bool Has(string name) => _members.ContainsKey(name);

    /// <summary>A text; null if it is missing or null.</summary>
    internal string? OptionalText(string name)
    {
        if (!_members.TryGetValue(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        return TextOf(value) ?? throw Bad($"{name} must be a text.");
    }

    /// <summary>A text that must be there.</summary>
    internal string Text(string name) => OptionalText(name) ?? throw Bad($"{name} is missing.");

    /// <summary>Bytes in base64 that must be there.</summary>
    internal byte[] Bytes(string name)
    {
        try
        {
            return Convert.FromBase64String(Text(name));
        }
        catch (FormatException)
        {
            throw Bad($"{name} must be base64.");
        }
    }

    /// <summary>The name of an identity, for people.</summary>
    internal string ReadName()
    {
        string name = Text("Name");
        return name.Length <= NameLengthMax && !string.IsNullOrWhiteSpace(name) && !name.Any(IsControl)
            ? name
            : throw Bad($"Name must have 1 to {NameLengthMax} characters, and none that controls a terminal.");
    }

    /// <summary>What an identity may do on the server as a whole.</summary>
    internal Clearance ReadClearance()
    {
        string name = Text("SecurityClearance");
        return Clearances.TryParse(name, out Clearance clearance)
            ? clearance
            : throw Bad(
                $"There is no SecurityClearance '{Short(name)}' to give; there are ValidUser, Operator, ClusterNode "
                + "and ClusterAdmin.");
    }

    /// <summary>What an identity may do with single databases.</summary>
    /// <param name="clearance">Its clearance: below an operator's, the databases must be named.</param>
    internal Permissions ReadPermissions(Clearance clearance)
    {
        if (!_members.TryGetValue("Permissions", out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return clearance >= Clearance.Operator
                ? Permissions.None
                : throw Bad("Permissions is missing: names of databases with Read, ReadWrite or Admin.");
        }

        if (value.ValueKind != JsonValueKind.Object)
        {
            throw Bad("Permissions must be an object: names of databases with Read, ReadWrite or Admin.");
        }

        var rights = new Dictionary<string, DatabaseRight>(StringComparer.OrdinalIgnoreCase);
        foreach (JsonProperty member in value.EnumerateObject())
        {
            if (!DatabaseName.IsValid(member.Name))
            {
                throw Bad($"'{Short(member.Name)}' in Permissions cannot be the name of a database.");
            }

            string? name = TextOf(member.Value);
            if (name == null || !Clearances.TryParse(name, out DatabaseRight right))
            {
                throw Bad($"Permissions of '{member.Name}' must be Read, ReadWrite or Admin.");
            }

            if (!rights.TryAdd(member.Name, right))
            {
                throw Bad($"Permissions names the database '{member.Name}' twice: names are the same in either case.");
            }
        }

        return rights.Count <= DatabasesMax
            ? Permissions.Of(rights)
            : throw Bad($"Permissions names {rights.Count} databases, the most are {DatabasesMax}.");
    }

    /// <summary>A time to come; null if it is missing or null.</summary>
    internal DateTimeOffset? TimeAfter(DateTimeOffset now, string name)
    {
        if (OptionalText(name) is not { } text)
        {
            return null;
        }

        if (!DocumentTime.TryRead(text, out long ticks))
        {
            throw Bad($"{name} must be a time, such as 2030-01-31T00:00:00Z.");
        }

        return ticks > now.UtcTicks
            ? new DateTimeOffset(ticks, TimeSpan.Zero)
            : throw Bad(string.Create(
                CultureInfo.InvariantCulture, $"{name} is over already; this machine says that it is {now:u}."));
    }

    /// <summary>A list of texts; empty if it is missing or null.</summary>
    /// <param name="name">The member.</param>
    /// <param name="countMax">The most of them.</param>
    internal IReadOnlyList<string> Texts(string name, int countMax)
    {
        if (!_members.TryGetValue(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return [];
        }

        if (value.ValueKind != JsonValueKind.Array || value.GetArrayLength() > countMax)
        {
            throw Bad($"{name} must be a list of at most {countMax} texts.");
        }

        return [.. value.EnumerateArray().Select(
            one => TextOf(one) ?? throw Bad($"{name} must be a list of at most {countMax} texts."))];
    }

    /// <summary>What is wrong with a body.</summary>
    internal static BadRequestException Bad(string message) => new(400, ErrorType.Argument, message);

    private static async ValueTask<ReadOnlyMemory<byte>> ReadBytesAsync(RequestContext request)
    {
        BodySource body = request.BeginBody(SizeBytesMax);
        var bytes = new ArrayBufferWriter<byte>();
        while (await body.ReadAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (bytes.WrittenCount + body.Current.Length > SizeBytesMax)
            {
                throw new BadRequestException(
                    413, ErrorType.Argument, $"The body has more than {SizeBytesMax:N0} bytes.");
            }

            bytes.Write(body.Current);
            body.Consume(body.Current.Length);
        }

        return bytes.WrittenMemory;
    }

    private static Dictionary<string, JsonElement> Parse(ReadOnlyMemory<byte> bytes)
    {
        if (!Utf8.IsValid(bytes.Span))
        {
            throw Invalid("it is not UTF-8.");
        }

        try
        {
            using JsonDocument document = JsonDocument.Parse(bytes, Strict);
            if (document.RootElement.ValueKind != JsonValueKind.Object)
            {
                throw Invalid("it is something else.");
            }

            // All names are read here, those of databases too: one with half a character throws.
            var members = new Dictionary<string, JsonElement>(StringComparer.Ordinal);
            foreach (JsonProperty member in document.RootElement.EnumerateObject())
            {
                members.Add(member.Name, member.Value.Clone());
                if (member.Value.ValueKind == JsonValueKind.Object)
                {
                    _ = member.Value.EnumerateObject().Sum(inner => inner.Name.Length);
                }
            }

            return members;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or ArgumentException)
        {
            throw Invalid(e.Message);
        }
    }

    private static BadRequestException Invalid(string why) =>
        new(400, ErrorType.InvalidJson, $"The body is not a JSON object: {why}");

    private static string Short(string text) => text.Length <= ShownLengthMax ? text : text[..ShownLengthMax] + "...";

    /// <summary>A text, if it is one.</summary>
    private static string? TextOf(JsonElement value)
    {
        if (value.ValueKind != JsonValueKind.String)
        {
            return null;
        }

        try
        {
            return value.GetString();
        }
        catch (InvalidOperationException)
        {
            // Half a character, as an escape.
            return null;
        }
    }

    /// <summary>Characters that change a line of a log or of a terminal.</summary>
    private static bool IsControl(char letter) =>
        char.IsControl(letter)
        || char.GetUnicodeCategory(letter) is UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
            or UnicodeCategory.Format;
}
