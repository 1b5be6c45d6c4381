using System.Buffers;
using System.Text;
using Raven.Search.Segments;

namespace Raven.Search.Automata;

/// <summary>
/// Finds the texts in a dictionary that an automaton accepts. The dictionary is sorted: what the automaton
/// knows of a beginning is kept for all terms that share it, and if no term can be accepted that begins so, the walk
/// seeks the next beginning that can. Reused for the next one. One thread at a time.
/// </summary>
/// <remarks>
/// After Baeza-Yates and Gonnet, Fast text searching for regular expressions or automaton searching on tries, Journal
/// of the ACM 43 (1996): the sorted terms stand for the trie, and seeking for its pointers.
/// </remarks>
internal class AutomatonWalk<TAutomaton, TState, TCursor>
    where TAutomaton : struct, ITermAutomaton<TState>
    where TState : unmanaged
    where TCursor : struct, ITermCursor
{
    /// <summary>States of so many characters are kept; those of longer texts are read again for each.</summary>
    private const int DepthMax = 128;

    /// <summary>The longest target of a seek, in bytes.</summary>
    private const int TargetBytesMax = (DepthMax + 1) * 4;

    private readonly int[] _starts = new int[DepthMax + 1];
    private readonly TState[] _states = new TState[DepthMax + 1];
    private readonly byte[] _target = new byte[1 + TargetBytesMax];
    private TCursor _cursor;
    private TAutomaton _automaton;
    private CancellationToken _cancellation;
    private TState _state;
    private Move _move;
    private int _depth;
    private int _targetLength;
    private int _epoch;
    private int _looks;
    private int _refused;
    private bool _isWhole;

    /// <summary>How the next term is found.</summary>
    private enum Move
    {
        None,
        First,
        Next,
        Seek,
    }

    /// <summary>The term that was found; valid until the next one.</summary>
    internal ReadOnlySpan<byte> Term => _cursor.Term;

    /// <summary>The state behind the last character of the term that was found, or one that accepts all.</summary>
    internal ref readonly TState State => ref _state;

    /// <summary>How many terms were looked at.</summary>
    internal int TermsRead => _looks;

    /// <summary>Begins at the term on which a cursor is.</summary>
    /// <param name="cursor">The cursor.</param>
    /// <param name="isAny">Whether there is a term.</param>
    /// <param name="automaton">What accepts texts.</param>
    /// <param name="isWhole">
    /// Whether texts of any length are kept whole; of others those are found, too, that are accepted or not by what was
    /// cut off.
    /// </param>
    /// <param name="cancellation">Cancels it.</param>
    internal void Open(
        TCursor cursor, bool isAny, TAutomaton automaton, bool isWhole, CancellationToken cancellation)
    {
        _cursor = cursor;
        _isWhole = isWhole;
        _automaton = automaton;
        _cancellation = cancellation;
        _looks = 0;
        _refused = 0;
        Restart();
        _move = isAny ? Move.First : Move.None;
    }

    /// <summary>Goes to the next text that is accepted.</summary>
    /// <returns>False if there is none.</returns>
    internal bool MoveNext()
    {
        while (MoveCursor())
        {
            TermCancellation.Step(_looks++, _cancellation);
            bool isCut = !_isWhole && TermCode.IsCut(_cursor.Term);
            if (IsAccepted(isCut ? TermCode.KeptOf(_cursor.Term) : _cursor.Term[1..], isCut))
            {
                _refused = 0;
                return true;
            }
        }

        _move = Move.None;
        return false;
    }

    /// <summary>Goes to the next text, and back to the last state that is known for its beginning.</summary>
    private bool MoveCursor()
    {
        int shared = 1;
        switch (_move)
        {
            case Move.None:
                return false;
            case Move.Next when _cursor.MoveNext():
                shared = _cursor.Shared;
                break;
            case Move.Seek when _cursor.SeekForward(_target.AsSpan(0, _targetLength)):
                shared = _cursor.Term.CommonPrefixLength(_target.AsSpan(0, _targetLength));
                break;
            case Move.Next or Move.Seek:
                return false;
        }

        ReadOnlySpan<byte> term = _cursor.Term;
        if (term[0] != TermCode.Text)
        {
            return false;
        }

        while (_starts[_depth] > shared - 1)
        {
            _depth--;
        }

        // A byte that continues a character belongs to the one before it, also if that one seemed to be broken off.
        while (_depth > 0 && _starts[_depth] + 1 < term.Length && (term[_starts[_depth] + 1] & 0xC0) == 0x80)
        {
            _depth--;
        }

        _move = Move.Next;
        return true;
    }

    private bool IsAccepted(ReadOnlySpan<byte> text, bool isCut)
    {
        int depth = _depth;
        int at = _starts[depth];
        TState state = _states[depth];
        bool isKept = true;
        while (!_automaton.AcceptsAll(state))
        {
            if (at == text.Length)
            {
                _state = state;
                return isCut || _automaton.Accepts(state);
            }

            int character = CharacterAt(text, at, out int length, ref isKept);
            bool isAlive = _automaton.TryStep(state, character, out TState next);
            if (_epoch != _automaton.Epoch)
            {
                Restart();
                isKept = false;
            }

            if (!isAlive)
            {
                if (isKept && _refused++ >= TAutomaton.RefusedBeforeSeek)
                {
                    _refused = 0;
                    SeekBehind(text, character);
                }

                return false;
            }

            state = next;
            at += length;
            isKept &= depth < DepthMax;
            if (isKept)
            {
                depth++;
                _starts[depth] = at;
                _states[depth] = state;
                _depth = depth;
            }
        }

        _state = state;
        return true;
    }

    /// <summary>
    /// If no text is accepted that goes on with a character: finds the next beginning that one may have, with another
    /// character at this place or at one before it.
    /// </summary>
    private void SeekBehind(ReadOnlySpan<byte> text, int character)
    {
        while (true)
        {
            int next = _automaton.NextCharacter(_states[_depth], character);
            if (next >= 0)
            {
                WriteTarget(text[.._starts[_depth]], next);
                return;
            }

            if (_depth == 0)
            {
                _move = Move.None;
                return;
            }

            _depth--;
            bool isKept = true;
            character = CharacterAt(text, _starts[_depth], out _, ref isKept);
        }
    }

    /// <summary>
    /// The target of a seek is a beginning and a character, and behind it the least characters that must follow: of an
    /// exact rest all of it.
    /// </summary>
    private void WriteTarget(ReadOnlySpan<byte> beginning, int character)
    {
        _target[0] = TermCode.Text;
        beginning.CopyTo(_target.AsSpan(1));
        int length = 1 + beginning.Length;
        TState state = _states[_depth];
        do
        {
            length += new Rune(character).EncodeToUtf8(_target.AsSpan(length));
            if (!_automaton.TryStep(state, character, out TState next) || _epoch != _automaton.Epoch
                || _automaton.Accepts(next) || _automaton.AcceptsAll(next))
            {
                break;
            }

            state = next;
            character = _automaton.NextCharacter(state, -1);
        }
        while (character > 0 && length + 4 <= _target.Length);

        _targetLength = length;
        _move = Move.Seek;
        if (_epoch != _automaton.Epoch)
        {
            Restart();
        }
    }

    private void Restart()
    {
        _epoch = _automaton.Epoch;
        _depth = 0;
        _states[0] = _automaton.Start;
    }

    /// <summary>
    /// The character at a place. Bytes that are no UTF-8 are read, but neither kept nor passed by seeking: their
    /// order is not that of the character that stands for them.
    /// </summary>
    private static int CharacterAt(ReadOnlySpan<byte> text, int at, out int length, ref bool isKept)
    {
        int first = text[at];
        length = 1;
        if (first < 0x80)
        {
            return first;
        }

        isKept &= Rune.DecodeFromUtf8(text[at..], out Rune rune, out length) == OperationStatus.Done;
        return rune.Value;
    }
}
