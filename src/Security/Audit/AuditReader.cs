using System.Text.Json;

namespace Raven.Security.Audit;

/// <summary>Reads the lines of an audit log, and finds the first place at which its chain is broken.</summary>
public static class AuditReader
{
    /// <summary>Checks a log whole.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="key">The key of its chain.</param>
    /// <param name="anchor">Where the server has kept its beginning and its end; null if that is not known: then lines
    /// that are missing at either end do not show.</param>
    /// <returns>What is wrong, first place first; empty if nothing is.</returns>
    public static IReadOnlyList<string> Verify(string folder, byte[] key, IAuditAnchor? anchor)
    {
        AuditChain? end = anchor?.Read();
        AuditChain? start = end == null ? null : anchor!.ReadStart() ?? AuditChain.Empty;
        List<string> faults = [];
        AuditChain? chain = null;
        bool sawEnd = end is null or { Number: 0 };
        bool sawStart = start == null;
        foreach (string path in AuditFolder.Files(folder))
        {
            string name = Path.GetFileName(path);
            long lineNumber = 0;
            foreach (byte[] line in Lines(path, fault => faults.Add($"{name} cannot be read: {fault}")))
            {
                lineNumber++;
                if (!TryRead(line, out AuditChain before))
                {
                    faults.Add($"{name}, line {lineNumber}: it is no line of an audit log.");
                    chain = null;
                    sawStart = true;
                    continue;
                }

                // Lines from before the start may still be there, if their files could not be deleted.
                if (!sawStart && chain == null && before.Number >= start!.Value.Number && before != start)
                {
                    faults.Add(Describe(name, lineNumber, start.Value, before));
                    sawStart = true;
                }
                else if (chain is { } expected && expected != before)
                {
                    faults.Add(Describe(name, lineNumber, expected, before));
                }

                chain = before.Behind(key, line);
                sawStart |= before == start || chain == start;
                sawEnd |= chain == end;
            }
        }

        if (!sawEnd && (chain is not { } last || last.Number <= end!.Value.Number))
        {
            faults.Add(
                $"The log ends with line {chain?.Number ?? 0}, and the server had written {end!.Value.Number}: "
                + "its end is missing or is not what was written.");
        }
        else if (!sawEnd && faults.Count == 0)
        {
            faults.Add($"Line {end!.Value.Number} is not the one that the server had written.");
        }

        if (!sawStart && faults.Count == 0 && chain != null)
        {
            faults.Add($"Line {start!.Value.Number} is not the one behind which the log begins.");
        }

        return faults;
    }

    /// <summary>Where the whole lines of the last file end, and where the chain stands there.</summary>
    /// <returns>The chain behind the last line, the number of the first line of the last file (0 if it has none), and
    /// how long its whole lines are.</returns>
    internal static (AuditChain Chain, long FirstNumber, long EndOfWholeLines) FindEnd(
        IReadOnlyList<string> files, byte[] key)
    {
        for (int i = files.Count - 1; i >= 0; i--)
        {
            long end = 0;
            long first = 0;
            byte[]? last = null;
            foreach (byte[] line in Lines(files[i], _ => { }))
            {
                end += line.Length + 1;
                if (first == 0 && TryRead(line, out AuditChain before))
                {
                    first = before.Number + 1;
                }

                last = line;
            }

            if (last != null)
            {
                bool isCurrent = i == files.Count - 1;
                AuditChain chain = TryRead(last, out AuditChain before) ? before.Behind(key, last) : AuditChain.Empty;
                return (chain, isCurrent ? first : 0, isCurrent ? end : 0);
            }
        }

        return (AuditChain.Empty, 0, 0);
    }

    private static string Describe(string name, long lineNumber, AuditChain expected, AuditChain before) =>
        (before.Number - expected.Number) switch
        {
            0 => $"{name}, line {lineNumber}: the line before it (number {expected.Number}) was changed.",
            > 0 => $"{name}, line {lineNumber}: lines {expected.Number + 1} to {before.Number} are missing before it.",
            _ => $"{name}, line {lineNumber}: line {before.Number + 1} stands behind line {expected.Number}.",
        };

    /// <summary>The chain before a line, as the line says it.</summary>
    private static bool TryRead(ReadOnlySpan<byte> line, out AuditChain before)
    {
        before = default;
        try
        {
            var json = new Utf8JsonReader(line);
            if (!json.Read() || json.TokenType != JsonTokenType.StartObject
                || !json.Read() || !json.ValueTextEquals("n"u8) || !json.Read() || !json.TryGetInt64(out long number)
                || !json.Read() || !json.ValueTextEquals("prev"u8) || !json.Read()
                || json.TokenType != JsonTokenType.String)
            {
                return false;
            }

            before = new AuditChain(number - 1, json.GetString()!);
            return true;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            return false;
        }
    }

    /// <summary>The lines that are whole: what stands behind the last end of a line was never acknowledged.</summary>
    private static IEnumerable<byte[]> Lines(string path, Action<string> failed)
    {
        using Stream file = AuditFolder.Read(path);
        byte[] buffer = new byte[64 << 10];
        using var line = new MemoryStream();
        while (true)
        {
            int count = Read(file, buffer, failed);
            if (count == 0)
            {
                yield break;
            }

            int start = 0;
            while (true)
            {
                int end = buffer.AsSpan(start, count - start).IndexOf((byte)'\n');
                if (end < 0)
                {
                    line.Write(buffer, start, count - start);
                    break;
                }

                line.Write(buffer, start, end);
                yield return line.ToArray();
                line.SetLength(0);
                start += end + 1;
            }
        }
    }

    /// <summary>Reads on; nothing more if a compressed file is damaged.</summary>
    private static int Read(Stream file, byte[] buffer, Action<string> failed)
    {
        try
        {
            return file.Read(buffer);
        }
        catch (InvalidDataException e)
        {
            failed(e.Message);
            return 0;
        }
    }
}
