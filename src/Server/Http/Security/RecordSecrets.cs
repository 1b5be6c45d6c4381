using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Raven.Documents.Catalog;
using Raven.Documents.Settings;
using Raven.Security.Secrets;

namespace Raven.Server.Http.Security;

//   SECRET-1  No secret of a record is stored as it was sent, and none leaves the server: it is sealed for its place in
//             the record of its database, and shown as asterisks.
//   SECRET-2  Asterisks that come back stand for the stored secret only if what it opens is as it was stored: otherwise
//             whoever may change a task could have the secret sent to a server of his own.
//   SECRET-3  In a cluster secrets are sealed under a key that its nodes have together: what one has sealed, another
//             one opens after a failover. The records that all nodes see have none that is sealed otherwise.

/// <summary>The secrets in the records of databases. Safe for all threads.</summary>
internal sealed class RecordSecrets(ServerKeys keys) : IRecordSealer
{
    /// <summary>What stands for the name of a database where a secret is one of the server itself. No database has it.
    /// </summary>
    internal const string ServerWide = "/server-wide";

    private const string ServerWideRecord = "server-wide/tasks";

    private static readonly JsonWriterOptions Plain = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    /// <summary>The keys of the cluster that this server is a node of; null for a server by itself.</summary>
    internal SharedKeys? Shared { get; set; }

    /// <summary>Why none can be opened or sealed; null if they can be.</summary>
    internal string? Fault => keys.Fault;

    /// <inheritdoc/>
    /// <exception cref="BadRequestException">Asterisks stand for no secret.</exception>
    /// <exception cref="MasterKeyException">There is no key to seal with.</exception>
    public byte[] Seal(string database, byte[] record, byte[]? stored)
    {
        using JsonDocument document = StoredJson.Parse(record.AsMemory());
        if (document.RootElement.ValueKind != JsonValueKind.Object || !SecretCopy.HasSecrets(document.RootElement))
        {
            return record;
        }

        using JsonDocument? before = TryParse(stored);
        return Copy(document.RootElement, before?.RootElement, (writer, secret, place) =>
        {
            if (secret.ValueKind == JsonValueKind.Object)
            {
                KeepSealed(writer, secret, database, place);
            }
            else if (secret.GetString() != SecretSealer.Mask)
            {
                WriteSealed(writer, secret.GetString()!, PlaceOf(database, place.Path));
            }
            else
            {
                Keep(writer, database, document.RootElement, before?.RootElement, place);
            }
        });
    }

    /// <summary>A record with its secrets in the clear, for what uses them. It must not leave the server.</summary>
    /// <exception cref="MasterKeyException">They cannot be opened.</exception>
    internal byte[] Reveal(string database, byte[] record) => Replace(record, (writer, secret, place) =>
        writer.WriteStringValue(SecretMembers.TryGetSealed(secret, out _)
            ? Open(secret, PlaceOf(database, place.Path))
            : secret.GetString()));

    /// <summary>A record with all of its secrets sealed under the key that the cluster seals with now.</summary>
    /// <returns>The record; null if it has none that is sealed otherwise.</returns>
    /// <exception cref="MasterKeyException">One cannot be opened, or there is no such key.</exception>
    internal byte[]? ToShared(string database, ReadOnlyMemory<byte> record)
    {
        SharedKeys shared = Shared ?? throw new InvalidOperationException("This server is in no cluster.");
        byte[] json = record.ToArray();
        using JsonDocument? document = TryParse(json);
        if (document is not { RootElement.ValueKind: JsonValueKind.Object }
            || !SecretCopy.HasSecrets(document.RootElement))
        {
            return null;
        }

        bool isOther = false;
        byte[] made = Copy(document.RootElement, null, (writer, secret, place) =>
        {
            string where = PlaceOf(database, place.Path);
            bool isSealed = SecretMembers.TryGetSealed(secret, out string text);
            if (isSealed && SecretMembers.IsShared(secret) && SecretSealer.KeyCheckOf(text) == shared.Current)
            {
                secret.WriteTo(writer);
                return;
            }

            isOther = true;
            WriteSealed(writer, isSealed ? Open(secret, where) : secret.ToString(), where);
        });
        return isOther ? made : null;
    }

    /// <summary>The checks of the keys of the cluster under which secrets of a record are sealed; one that the server's
    /// own key has sealed has none.</summary>
    internal static IReadOnlySet<string> KeysOf(ReadOnlyMemory<byte> record)
    {
        HashSet<string> checks = new(StringComparer.Ordinal);
        using JsonDocument? document = TryParse(record.ToArray());
        if (document is { RootElement.ValueKind: JsonValueKind.Object } && SecretCopy.HasSecrets(document.RootElement))
        {
            Copy(document.RootElement, null, (writer, secret, _) =>
            {
                if (SecretMembers.TryGetSealed(secret, out string text) && SecretMembers.IsShared(secret)
                    && SecretSealer.KeyCheckOf(text) is { } check)
                {
                    checks.Add(check);
                }

                writer.WriteNullValue();
            });
        }

        return checks;
    }

    /// <summary>A record with asterisks in the places of its secrets.</summary>
    /// <param name="record">The record.</param>
    /// <param name="places">Takes the paths of the secrets.</param>
    internal static byte[] Masked(byte[] record, ICollection<string>? places = null) =>
        Replace(record, (writer, _, place) =>
        {
            places?.Add(Show(place.Path));
            writer.WriteStringValue(SecretSealer.Mask);
        });

    /// <summary>A record without its secrets: null is in their places.</summary>
    internal static byte[] Without(byte[] record, ICollection<string> places) =>
        Replace(record, (writer, _, place) =>
        {
            places.Add(Show(place.Path));
            writer.WriteNullValue();
        });

    /// <summary>The record with the settings of the server itself; null if there is none.</summary>
    internal static byte[]? ReadServerWide(ServerRecords records) =>
        records.Read(ServerWideRecord) is [var (name, value)] && name == ServerWideRecord ? value : null;

    /// <summary>The record with the settings of the server itself, with its secrets sealed.</summary>
    /// <exception cref="BadRequestException">Asterisks stand for no secret.</exception>
    /// <exception cref="MasterKeyException">There is no key to seal with.</exception>
    internal byte[] SealServerWide(ServerRecords records, byte[] json) =>
        Seal(ServerWide, json, ReadServerWide(records));

    /// <summary>Stores that record as it is, with its secrets sealed; null removes it.</summary>
    internal static void TakeServerWide(ServerRecords records, byte[]? json) =>
        records.Write([new(ServerWideRecord, json)]);

    /// <summary>Replaces the master key, and seals the secrets of all records anew.</summary>
    /// <exception cref="MasterKeyException">It cannot be done. Nothing has changed.</exception>
    internal void Rotate() => keys.Rotate(
        (record, old, next) => Reseal(record.Name, record.Json.ToArray(), old, next),
        (old, next) => ReadServerWide(keys.Records) is { } stored && Reseal(ServerWide, stored, old, next) is { } made
            ? [new(ServerWideRecord, made)]
            : []);

    private static byte[]? Reseal(string name, byte[] record, SecretSealer old, SecretSealer next)
    {
        using JsonDocument? document = TryParse(record);
        if (document is not { RootElement.ValueKind: JsonValueKind.Object }
            || !SecretCopy.HasSecrets(document.RootElement))
        {
            return null;
        }

        return Copy(document.RootElement, null, (writer, secret, place) =>
        {
            string where = PlaceOf(name, place.Path);
            bool isSealed = SecretMembers.TryGetSealed(secret, out string text);
            if (isSealed && SecretMembers.IsShared(secret))
            {
                secret.WriteTo(writer);
                return;
            }

            WriteSealed(
                writer, SecretMembers.SealedByServer,
                next.Seal(isSealed ? old.Open(text, where) : secret.ToString(), where));
        });
    }

    /// <summary>Where a secret is, for its seal: the database and the path in its record.</summary>
    private static string PlaceOf(string database, string path) => $"{database.ToLowerInvariant()}{path}";

    private static byte[] Replace(byte[] record, SecretWriter replace)
    {
        using JsonDocument document = StoredJson.Parse(record.AsMemory());
        return SecretCopy.HasSecrets(document.RootElement) ? Copy(document.RootElement, null, replace) : record;
    }

    private static byte[] Copy(JsonElement record, JsonElement? stored, SecretWriter replace)
    {
        var target = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(target, Plain))
        {
            SecretCopy.WriteRecord(writer, record, stored, replace);
        }

        return target.WrittenSpan.ToArray();
    }

    /// <summary>Seals a secret, and writes what stands for it.</summary>
    private void WriteSealed(Utf8JsonWriter writer, string secret, string place)
    {
        if (Shared is { } shared)
        {
            WriteSealed(writer, SecretMembers.SealedByCluster, shared.Seal(secret, place));
        }
        else
        {
            WriteSealed(writer, SecretMembers.SealedByServer, keys.Sealer.Seal(secret, place));
        }
    }

    /// <summary>Opens what <see cref="WriteSealed(Utf8JsonWriter, string, string)"/> has written.</summary>
    private string Open(JsonElement secret, string place) =>
        !SecretMembers.TryGetSealed(secret, out string text)
            ? throw new MasterKeyException($"The sealed secret at '{place}' is damaged.")
            : !SecretMembers.IsShared(secret)
                ? keys.Sealer.Open(text, place)
                : Shared is { } shared
                    ? shared.Open(text, place)
                    : throw new MasterKeyException(
                        $"The secret at '{place}' was sealed by a cluster, and this server runs by itself. Start it as "
                        + "a node, or give the secret anew.");

    private static void WriteSealed(Utf8JsonWriter writer, int how, string text)
    {
        writer.WriteStartObject();
        writer.WriteNumber(SecretMembers.Sealed, how);
        writer.WriteString(SecretMembers.SealedText, text);
        writer.WriteEndObject();
    }

    /// <summary>A change of another member brings the stored secrets along. No client has ever seen one.</summary>
    private void KeepSealed(Utf8JsonWriter writer, JsonElement secret, string database, SecretPlace place)
    {
        bool isStored = place.Path == place.StoredPath && place.Stored is { } stored
            && JsonElement.DeepEquals(secret, stored);
        if (!isStored && !IsOwn(secret, PlaceOf(database, place.Path)))
        {
            throw Wrong(
                $"'{Show(place.Path)}' has a member '{SecretMembers.Sealed}', which is the server's: give the secret "
                + "itself.");
        }

        secret.WriteTo(writer);
    }

    private bool IsOwn(JsonElement secret, string place)
    {
        try
        {
            return Open(secret, place).Length > 0;
        }
        catch (MasterKeyException)
        {
            return false;
        }
    }

    private void Keep(
        Utf8JsonWriter writer, string database, JsonElement record, JsonElement? before, SecretPlace place)
    {
        if (place.Stored is not { } stored || !IsSecretValue(stored))
        {
            throw Wrong(
                $"'{Show(place.Path)}' is '{SecretSealer.Mask}', which stands for a stored secret, and none is stored "
                + "there: give the secret itself.");
        }

        string? changed = place.Path.StartsWith("/Settings/", StringComparison.Ordinal)
            ? ChangedSetting(record, before, place.Name)
            : Changed(place.Entry, place.StoredEntry, "");
        if (changed != null)
        {
            throw Wrong(
                $"'{Show(place.Path)}' is '{SecretSealer.Mask}', and '{changed}' beside it is not as it is stored: a "
                + "stored secret is not used for another target. Give the secret itself.");
        }

        bool isSealed = SecretMembers.TryGetSealed(stored, out _);
        if (isSealed && place.Path == place.StoredPath)
        {
            stored.WriteTo(writer);
            return;
        }

        string secret = isSealed
            ? Open(stored, PlaceOf(database, place.StoredPath))
            : stored.GetString()!;
        WriteSealed(writer, secret, PlaceOf(database, place.Path));
    }

    private static bool IsSecretValue(JsonElement stored) =>
        SecretMembers.TryGetSealed(stored, out _)
        || (stored.ValueKind == JsonValueKind.String && stored.GetString()!.Length > 0);

    /// <summary>The first member in which two entries differ, apart from secrets and what is harmless; null if there is
    /// none. A member that is missing is as good as null.</summary>
    private static string? Changed(JsonElement? sent, JsonElement? stored, string path)
    {
        if (sent is { ValueKind: JsonValueKind.Array } list && stored is { ValueKind: JsonValueKind.Array } others
            && list.GetArrayLength() == others.GetArrayLength())
        {
            return Enumerable.Range(0, list.GetArrayLength())
                .Select(i => Changed(list[i], others[i], path)).FirstOrDefault(changed => changed != null);
        }

        if (sent is not { ValueKind: JsonValueKind.Object } one
            || stored is not { ValueKind: JsonValueKind.Object } other)
        {
            return IsNothing(sent) && IsNothing(stored) ? null
                : sent is { } a && stored is { } b && JsonElement.DeepEquals(a, b) ? null
                : path;
        }

        string within = path.Split('.')[^1];
        foreach (string name in one.EnumerateObject().Concat(other.EnumerateObject())
            .Select(member => member.Name).Distinct())
        {
            bool isSecret = SecretMembers.IsSecret(name, within)
                || Of(one, name) is { ValueKind: JsonValueKind.String } text && text.ValueEquals(SecretSealer.Mask);
            string? changed = isSecret || SecretMembers.IsHarmless(name)
                ? null
                : Changed(Of(one, name), Of(other, name), path.Length == 0 ? name : $"{path}.{name}");
            if (changed != null)
            {
                return changed;
            }
        }

        return null;
    }

    /// <summary>The first setting with the same beginning of its name that differs; null if there is none.</summary>
    private static string? ChangedSetting(JsonElement record, JsonElement? before, string name)
    {
        string beginning = name[..(name.LastIndexOf('.') + 1)];
        JsonElement? one = Of(record, RecordJson.Settings);
        JsonElement? other = before is { } stored ? Of(stored, RecordJson.Settings) : null;
        IEnumerable<string> names = new[] { one, other }
            .Where(settings => settings is { ValueKind: JsonValueKind.Object })
            .SelectMany(settings => settings!.Value.EnumerateObject().Select(setting => setting.Name));
        return names.FirstOrDefault(setting =>
            setting.StartsWith(beginning, StringComparison.OrdinalIgnoreCase)
            && !SecretMembers.IsSecret(setting, RecordJson.Settings)
            && Changed(Of(one!.Value, setting), other is { } there ? Of(there, setting) : null, setting) != null);
    }

    private static JsonElement? Of(JsonElement parent, string name) =>
        parent.ValueKind == JsonValueKind.Object && parent.TryGetProperty(name, out JsonElement value) ? value : null;

    private static bool IsNothing(JsonElement? value) => value is null or { ValueKind: JsonValueKind.Null };

    private static JsonDocument? TryParse(byte[]? json)
    {
        try
        {
            return json == null ? null : StoredJson.Parse(json.AsMemory());
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>A path as clients write it.</summary>
    private static string Show(string path)
    {
        var text = new StringBuilder();
        foreach (string segment in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            text.Append(text.Length == 0 ? "" : ".").Append(
                segment.Replace("~1", "/", StringComparison.Ordinal).Replace("~0", "~", StringComparison.Ordinal));
        }

        return text.ToString();
    }

    private static BadRequestException Wrong(string message) => new(400, ErrorType.Argument, message);
}
