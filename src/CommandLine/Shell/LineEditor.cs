using System.Text;

namespace Raven.CommandLine.Shell;

/// <summary>Reads a line from a terminal, with earlier lines and completion. One thread.</summary>
/// <param name="readKey">Waits for a key.</param>
/// <param name="output">The terminal.</param>
/// <param name="complete">Gives what may follow a text.</param>
internal sealed class LineEditor(
    Func<ConsoleKeyInfo> readKey, TextWriter output, Func<string, Task<IReadOnlyList<string>>> complete)
{
    private const string ClearBehind = "\u001b[K";

    private readonly List<string> _history = [];
    private readonly StringBuilder _line = new();
    private string _prompt = "";
    private int _cursor;
    private int _place;

    /// <summary>Reads a line; null if there are no more.</summary>
    internal async Task<string?> ReadAsync(string prompt)
    {
        _prompt = prompt;
        _line.Clear();
        _cursor = 0;
        _place = _history.Count;
        Draw();
        while (true)
        {
            ConsoleKeyInfo key = readKey();
            bool hasControl = (key.Modifiers & ConsoleModifiers.Control) != 0;
            if (key.Key == ConsoleKey.Enter)
            {
                await output.WriteLineAsync();
                return Remember();
            }

            if (hasControl && key.Key == ConsoleKey.D && _line.Length == 0)
            {
                await output.WriteLineAsync();
                return null;
            }

            if (key.Key == ConsoleKey.Tab)
            {
                await CompleteAsync();
            }
            else
            {
                Apply(key, hasControl);
            }

            Draw();
        }
    }

    private string Remember()
    {
        string line = _line.ToString();
        if (line.Trim().Length > 0 && (_history.Count == 0 || _history[^1] != line))
        {
            _history.Add(line);
        }

        return line;
    }

    private void Apply(ConsoleKeyInfo key, bool hasControl)
    {
        switch (key.Key)
        {
            case ConsoleKey.Backspace when _cursor > 0:
                _line.Remove(--_cursor, 1);
                break;
            case ConsoleKey.Delete when _cursor < _line.Length:
                _line.Remove(_cursor, 1);
                break;
            case ConsoleKey.LeftArrow:
                _cursor = Math.Max(0, _cursor - 1);
                break;
            case ConsoleKey.RightArrow:
                _cursor = Math.Min(_line.Length, _cursor + 1);
                break;
            case ConsoleKey.Home:
                _cursor = 0;
                break;
            case ConsoleKey.End:
                _cursor = _line.Length;
                break;
            case ConsoleKey.UpArrow:
                Recall(_place - 1);
                break;
            case ConsoleKey.DownArrow:
                Recall(_place + 1);
                break;
            case ConsoleKey.U when hasControl:
                _line.Remove(0, _cursor);
                _cursor = 0;
                break;
            default:
                if (!hasControl && !char.IsControl(key.KeyChar))
                {
                    _line.Insert(_cursor++, key.KeyChar);
                }

                break;
        }
    }

    private void Recall(int place)
    {
        if (place >= 0 && place <= _history.Count)
        {
            _place = place;
            _line.Clear().Append(place == _history.Count ? "" : _history[place]);
            _cursor = _line.Length;
        }
    }

    /// <summary>Adds what all choices have in common; lists them if that is nothing more.</summary>
    private async Task CompleteAsync()
    {
        string before = _line.ToString(0, _cursor);
        IReadOnlyList<string> choices = await complete(before);
        if (choices.Count == 0)
        {
            return;
        }

        string typed = ShellPlace.Of(before).Typed;
        string common = choices.Aggregate(static (left, right) => left[..CommonLength(left, right)]);
        if (common.Length > typed.Length)
        {
            _line.Remove(_cursor - typed.Length, typed.Length).Insert(_cursor - typed.Length, common);
            _cursor += common.Length - typed.Length;
            if (choices.Count == 1)
            {
                _line.Insert(_cursor++, ' ');
            }
        }
        else
        {
            await output.WriteAsync($"\n{string.Join("  ", choices)}\n");
        }
    }

    private static int CommonLength(string left, string right)
    {
        int length = 0;
        while (length < left.Length && length < right.Length
            && char.ToUpperInvariant(left[length]) == char.ToUpperInvariant(right[length]))
        {
            length++;
        }

        return length;
    }

    private void Draw()
    {
        output.Write($"\r{_prompt}{_line}{ClearBehind}");
        if (_cursor < _line.Length)
        {
            output.Write($"\u001b[{_line.Length - _cursor}D");
        }

        output.Flush();
    }
}
