using System.Text;
using Raven.Scripting;
using Raven.Scripting.Hosting;

namespace FastTests.Scripting;

/// <summary>Texts that are nearly scripts: pieces of scripts put together, cut and changed.</summary>
internal sealed class ParserFuzz(int seed)
{
    private static readonly string[] Pieces =
    [
        "(", ")", "[", "]", "{", "}", "=>", "...", ";", ",", "?", "?.", ":", ".", "=", "==", "+", "++", "-", "*",
            "**", "/",
        "%", "<", ">>>", "&&", "||", "??", "!", "~", "`", "${", "'", "\"", "\\", "\n", " ", "/*", "*/", "//", "a",
            "b", "x",
        "0", "1", "0x", "1e", ".5", "let ", "const ", "var ", "function ", "function* ", "class ", "extends ",
            "return ", "if ",
        "else ", "for ", "of ", "in ", "while ", "do ", "switch ", "case ", "default", "break ", "continue ", "try ",
            "catch ",
        "finally ", "throw ", "new ", "new.target", "super", "this", "yield ", "yield* ", "async ", "await ",
            "static ", "get ",
        "set ", "typeof ", "void ", "delete ", "instanceof ", "null", "true", "arguments", "eval", "/a[/]b/g",
            "/(?<n>a)\\k<n>/u",
        "`a${b}c`", "'\\u{1F600}'", "'use strict';", "\\u0061", "\u2028", "\ud800", "\0", "é", "=>{", "({", "})",
            "#x", "123n",
        "{a=1}", "[a,b]=", "({a}={})", "import ", "export ", "with(", "label:", "debugger",
            "/(a{9999999}){9999999}/", "/[z-a]/",
    ];

    private readonly Random _random = new(seed);

    /// <summary>
    /// Compiles texts until the count is reached. Anything but a script or an error with a place is thrown.
    /// </summary>
    internal void Run(int count, ScriptEngine engine)
    {
        string last = "a = 1;";
        for (int i = 0; i < count; i++)
        {
            string text = _random.Next(4) switch
            {
                0 => Mutate(last),
                1 => new string(Pieces[_random.Next(Pieces.Length)][0], _random.Next(1, 30)),
                _ => Compose(),
            };
            try
            {
                engine.CompileUncached(text);
                last = text;
            }
            catch (ScriptException exception) when (exception.Failure == ScriptFailure.Syntax)
            {
                bool inside = exception.Line >= 1 && exception.Column >= 1 && exception.Reason.Length > 0;
                Assert.True(inside, $"seed {seed}, text {i}: {text}");
            }
            catch (Exception exception)
            {
                throw new InvalidOperationException($"seed {seed}, text {i}: {text}", exception);
            }
        }
    }

    private string Compose()
    {
        StringBuilder text = new();
        for (int i = _random.Next(1, 14); i > 0; i--)
        {
            text.Append(Pieces[_random.Next(Pieces.Length)]);
        }

        return text.ToString();
    }

    private string Mutate(string text)
    {
        StringBuilder changed = new(text.Length > 200 ? text[..200] : text);
        int at = _random.Next(changed.Length + 1);
        switch (_random.Next(3))
        {
            case 0 when at < changed.Length:
                changed.Remove(at, _random.Next(1, Math.Min(5, changed.Length - at) + 1));
                break;
            case 1:
                changed.Insert(at, (char)_random.Next(0x250));
                break;
            default:
                changed.Insert(at, Pieces[_random.Next(Pieces.Length)]);
                break;
        }

        return changed.ToString();
    }
}
