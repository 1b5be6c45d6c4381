using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Documents;

/// <summary>
/// The settings of a database as they are in its record. They are stored in the database itself: the settings of a new
/// record are removed from it and stored there, and an answer with the record takes them from there.
/// </summary>
public sealed class RecordSettings
{
    /// <summary>The name that the configuration of clients has in a record.</summary>
    public const string Client = nameof(Client);

    private readonly List<(string Name, byte[] Json)> _settings = [];

    /// <summary>The properties of a record that are settings.</summary>
    public static string[] Names { get; } =
    [
        SettingsStore.Revisions, SettingsStore.RevisionsForConflicts, SettingsStore.Expiration, SettingsStore.Refresh,
        SettingsStore.TimeSeries, Client, SettingsStore.UniqueConstraints, SettingsStore.SchemaValidation,
        SettingsStore.DataArchival, SettingsStore.RevisionsBin,
    ];

    /// <summary>Removes the settings from a record.</summary>
    /// <param name="record">The record, a JSON object.</param>
    /// <param name="settings">The settings.</param>
    /// <returns>The record without them.</returns>
    /// <exception cref="FormatException">One of them is not valid.</exception>
    public static byte[] Extract(ReadOnlyMemory<byte> record, out RecordSettings settings)
    {
        settings = new RecordSettings();
        using JsonDocument document = StoredJson.Parse(record);
        var target = new ArrayBufferWriter<byte>();
        using var rest = new Utf8JsonWriter(target);
        rest.WriteStartObject();
        foreach (JsonProperty property in document.RootElement.EnumerateObject())
        {
            if (!Names.Contains(property.Name))
            {
                property.WriteTo(rest);
            }
            else if (property.Value.ValueKind != JsonValueKind.Null)
            {
                byte[] json = Encoding.UTF8.GetBytes(property.Value.GetRawText());
                if (property.Name == Client)
                {
                    json = ClientConfiguration.Write(1, json);
                    SettingsStore.Check(SettingsStore.ClientConfiguration, json);
                }
                else
                {
                    SettingsStore.Check(property.Name, json);
                }

                settings._settings.Add((property.Name, json));
            }
        }

        rest.WriteEndObject();
        rest.Flush();
        return target.WrittenSpan.ToArray();
    }

    /// <summary>Begins a snapshot of a database for the settings in its record; null if it cannot be opened.</summary>
    public static DocumentSnapshot? TryBeginRead(Database database)
    {
        try
        {
            return database.IsDisabled ? null : database.BeginRead();
        }
        catch (Exception e) when (LoadFailures.IsKnown(e))
        {
            // A request that uses the database gets the error; its record can be read all the same.
            return null;
        }
    }

    /// <summary>A setting of a database as it is stored, by its name in a record; null if there is none.</summary>
    public static byte[]? Read(DocumentSnapshot snapshot, string name) =>
        SettingsStore.Read(snapshot.Transaction, name == Client ? SettingsStore.ClientConfiguration : name);

    /// <summary>Stores the settings of a record in its database.</summary>
    /// <param name="database">The database.</param>
    /// <param name="now">The time, for the etag of the configuration of clients.</param>
    public async ValueTask ApplyAsync(Database database, DateTimeOffset now)
    {
        foreach ((string name, byte[] json) in _settings)
        {
            if (name == Client)
            {
                byte[] configuration = ClientConfiguration.Parse(json).Json;
                long etag = ClientConfiguration.NextEtag(now, database.Settings?.Client);
                await database.ConfigureAsync(
                    SettingsStore.ClientConfiguration, ClientConfiguration.Write(etag, configuration))
                    .ConfigureAwait(false);
            }
            else
            {
                await database.ConfigureAsync(name, json).ConfigureAwait(false);
            }
        }
    }
}
