using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Documents.Patching;

/// <summary>The debug output of a script: what it printed, and what it read and wrote in the database.</summary>
public sealed class PatchDebug
{
    private readonly List<string> _output = [];
    private readonly SortedDictionary<string, List<(string Id, BlittableObject Data)>> _actions =
        new(StringComparer.Ordinal);

    /// <summary>Keeps a text that the script printed.</summary>
    internal void AddOutput(string text) => _output.Add(text);

    /// <summary>Keeps an access of the script to the database.</summary>
    /// <param name="action">The kind of access, such as <c>PutDocument</c>.</param>
    /// <param name="id">The document or key.</param>
    /// <param name="data">A document that it wrote.</param>
    internal void AddAction(string action, string id, BlittableObject data = default)
    {
        if (!_actions.TryGetValue(action, out List<(string, BlittableObject)>? known))
        {
            _actions[action] = known = [];
        }

        known.Add((id, data));
    }

    /// <summary>Writes all of it as an object.</summary>
    public void Write(ref JsonOutput json)
    {
        json.StartObject();
        json.Name("Output"u8);
        json.StartArray();
        foreach (string text in _output)
        {
            json.String(text);
        }

        json.EndArray();
        json.Name("Actions"u8);
        json.StartObject();
        foreach ((string action, List<(string Id, BlittableObject Data)> done) in _actions)
        {
            json.Name(action);
            json.StartArray();
            foreach ((string id, BlittableObject data) in done)
            {
                WriteAction(ref json, id, data);
            }

            json.EndArray();
        }

        json.EndObject();
        json.EndObject();
    }

    private static void WriteAction(ref JsonOutput json, string id, BlittableObject data)
    {
        if (!data.IsValid)
        {
            json.String(id);
            return;
        }

        json.StartObject();
        json.Name("Id"u8);
        json.String(id);
        json.Name("Data"u8);
        json.Value(data.AsValue());
        json.EndObject();
    }
}
