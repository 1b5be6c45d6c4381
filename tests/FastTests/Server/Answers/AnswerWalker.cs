using System.Text.Json;
using System.Text.RegularExpressions;

namespace FastTests.Server.Answers;

/// <summary>Walks answers along the members that clients read, and notes what is not as it has to be.</summary>
internal sealed partial class AnswerWalker(IReadOnlyDictionary<string, AnswerMember[]> table)
{
    private readonly HashSet<(string Head, string Path)> _shown = [];
    private readonly HashSet<(string Head, string Path)> _parents = [];
    private readonly HashSet<string> _walked = [];
    private readonly SortedSet<string> _findings = new(StringComparer.Ordinal);

    /// <summary>Walks one answer.</summary>
    internal void Walk(string head, JsonElement answer)
    {
        _walked.Add(head);
        foreach (AnswerMember member in table[head])
        {
            Follow(head, member, answer, member.Path);
        }
    }

    /// <summary>What was found, and what no answer could show.</summary>
    internal IEnumerable<string> Findings()
    {
        foreach ((string head, AnswerMember[] members) in table)
        {
            if (!_walked.Contains(head))
            {
                _findings.Add($"{head}: no answer was walked");
                continue;
            }

            foreach (AnswerMember member in members)
            {
                bool isShown = _shown.Contains((head, member.Path));
                bool isAsked = _parents.Contains((head, member.Path));
                if (member.IsLeftOut && isShown)
                {
                    _findings.Add($"{head}: {member.Path} is there, and has a minus in the table");
                }
                else if (!member.IsLeftOut && !isShown && isAsked)
                {
                    _findings.Add($"{head}: {member.Path} ({member.Must}) is left out everywhere");
                }
                else if (!member.IsLeftOut && !isAsked && !isShown && member.Must != "optional")
                {
                    _findings.Add($"{head}: {member.Path} ({member.Must}) could not be shown by any answer");
                }
            }
        }

        return _findings;
    }

    [GeneratedRegex(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z?$")]
    private static partial Regex Date();

    [GeneratedRegex(@"^(\d+\.)?\d\d:\d\d:\d\d(\.\d{7})?$")]
    private static partial Regex Span();

    private void Follow(string head, AnswerMember member, JsonElement at, string rest)
    {
        int dot = rest.IndexOf('.', StringComparison.Ordinal);
        string step = dot < 0 ? rest : rest[..dot];
        string? next = dot < 0 ? null : rest[(dot + 1)..];
        bool isList = step.EndsWith("[]", StringComparison.Ordinal);
        string name = isList ? step[..^2] : step;
        if (at.ValueKind != JsonValueKind.Object)
        {
            return;
        }

        if (name == "*")
        {
            foreach (JsonProperty one in at.EnumerateObject())
            {
                Enter(head, member, one.Value, isList, next);
            }
        }
        else if (at.TryGetProperty(name, out JsonElement value))
        {
            Enter(head, member, value, isList, next);
        }
        else if (next is null && !isList)
        {
            _parents.Add((head, member.Path));
            if (member.Must != "optional")
            {
                _findings.Add($"{head}: {member.Path} ({member.Must}) is missing");
            }
        }
    }

    private void Enter(string head, AnswerMember member, JsonElement value, bool isList, string? next)
    {
        if (isList)
        {
            if (value.ValueKind == JsonValueKind.Array)
            {
                foreach (JsonElement item in value.EnumerateArray())
                {
                    Enter(head, member, item, isList: false, next);
                }
            }
        }
        else if (next is not null)
        {
            Follow(head, member, value, next);
        }
        else
        {
            _shown.Add((head, member.Path));
            Check(head, member, value);
        }
    }

    private void Check(string head, AnswerMember member, JsonElement value)
    {
        if (value.ValueKind == JsonValueKind.Null)
        {
            if (member.Must == "nonnull" || member.IsNullWrong)
            {
                _findings.Add($"{head}: {member.Path} is null");
            }
        }
        else if (!IsOf(member.Type, value))
        {
            _findings.Add($"{head}: {member.Path} is no {member.Type}: {value.GetRawText()}");
        }
        else if (member.Values.Length > 0 && !member.Values.Contains(value.GetString()))
        {
            _findings.Add($"{head}: {member.Path} is none of {string.Join(", ", member.Values)}: {value.GetString()}");
        }
    }

    private static bool IsOf(string type, JsonElement value) => type switch
    {
        "any" => true,
        "object" => value.ValueKind == JsonValueKind.Object,
        "array" => value.ValueKind == JsonValueKind.Array,
        "string" => value.ValueKind == JsonValueKind.String,
        "number" => value.ValueKind == JsonValueKind.Number,
        "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
        "date" => value.ValueKind == JsonValueKind.String && Date().IsMatch(value.GetString()!),
        "timespan" => value.ValueKind == JsonValueKind.String && Span().IsMatch(value.GetString()!),
        "size" => value.ValueKind == JsonValueKind.Object && value.TryGetProperty("SizeInBytes", out _),
        _ => throw new ArgumentException($"'{type}' is no type of the table."),
    };
}
