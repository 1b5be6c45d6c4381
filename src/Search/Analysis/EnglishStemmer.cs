namespace Raven.Search.Analysis;

// The English (Porter2) stemming algorithm by Martin Porter, snowballstem.org/algorithms/english/stemmer.html. The
// steps have its names. A consonant y is marked as Y while a word is processed. All that is no vowel counts as a
// consonant, letters beyond a to z, too, each of which is one though it has several bytes.

/// <summary>Reduces an English word in lower case to its stem, in place. Allocates nothing.</summary>
internal ref struct EnglishStemmer
{
    private readonly Span<byte> _word;
    private int _length;
    private int _region1;
    private int _region2;

    private EnglishStemmer(Span<byte> word)
    {
        _word = word;
        _length = word.Length;
    }

    /// <summary>Stems a word; one with other letters than a to z and the apostrophe stays as it is.</summary>
    /// <returns>The length of the stem, which is never longer than the word.</returns>
    internal static int StemAscii(Span<byte> word) => HasOnlyLetters(word) ? Stem(word) : word.Length;

    /// <summary>Stems a word.</summary>
    /// <returns>The length of the stem, which is never longer than the word.</returns>
    internal static int Stem(Span<byte> word)
    {
        if (CountUpToThree(word) < 3)
        {
            return word.Length;
        }

        if (EnglishStemExceptions.TryStem(word, out int length))
        {
            return length;
        }

        var stemmer = new EnglishStemmer(word);
        return stemmer.Run();
    }

    private readonly byte Last => _length > 0 ? _word[_length - 1] : (byte)0;

    private int Run()
    {
        if (_word[0] == '\'')
        {
            _word[1.._length].CopyTo(_word);
            _length--;
        }

        MarkConsonantY();
        FindRegions();
        if (EndsWith("'s'"u8))
        {
            _length -= 3;
        }
        else if (EndsWith("'s"u8))
        {
            _length -= 2;
        }
        else if (EndsWith("'"u8))
        {
            _length--;
        }

        Step1A();
        if (!EnglishStemExceptions.IsKeptAfterStep1A(_word[.._length]))
        {
            Step1B();
            Step1C();
            Step2();
            Step3();
            Step4();
            Step5();
        }

        _word[.._length].Replace((byte)'Y', (byte)'y');
        return _length;
    }

    private void Step1A()
    {
        if (EndsWith("sses"u8))
        {
            _length -= 2;
        }
        else if (EndsWith("ied"u8) || EndsWith("ies"u8))
        {
            _length -= CountUpToThree(_word[..(_length - 3)]) > 1 ? 2 : 1;
        }
        else if (EndsWith("s"u8) && !EndsWith("us"u8) && !EndsWith("ss"u8) && HasVowel(_length - 2))
        {
            _length--;
        }
    }

    private void Step1B()
    {
        int suffix = EndsWith("eedly"u8) ? 5 : EndsWith("eed"u8) ? 3 : 0;
        if (suffix > 0)
        {
            _length = _length - suffix >= _region1 ? _length - suffix + 2 : _length;
            return;
        }

        suffix = EndsWith("ingly"u8) ? 5 : EndsWith("edly"u8) ? 4 : EndsWith("ing"u8) ? 3 : EndsWith("ed"u8) ? 2 : 0;
        if (suffix == 0 || !HasVowel(_length - suffix))
        {
            return;
        }

        _length -= suffix;
        if (EndsWith("at"u8) || EndsWith("bl"u8) || EndsWith("iz"u8))
        {
            Append((byte)'e');
        }
        else if (_length >= 2 && _word[_length - 1] == _word[_length - 2]
            && "bdfgmnprt"u8.Contains(_word[_length - 1]))
        {
            _length--;
        }
        else if (_length <= _region1 && EndsWithShortSyllable(_length))
        {
            Append((byte)'e');
        }
    }

    private readonly void Step1C()
    {
        if (_length > 2 && _word[_length - 1] is (byte)'y' or (byte)'Y' && !IsVowel(_word[_length - 2])
            && StartOfLetter(_length - 2) > 0)
        {
            _word[_length - 1] = (byte)'i';
        }
    }

    private void Step2()
    {
        foreach ((byte[] from, byte[] to) in EnglishSuffixes.Step2(Last))
        {
            if (EndsWith(from))
            {
                if (from.Length == 3 && from[0] == 'o' && (_length < 4 || _word[_length - 4] != 'l'))
                {
                    return;
                }

                ReplaceIn(_region1, from.Length, to);
                return;
            }
        }

        if (EndsWith("li"u8) && _length - 2 >= _region1 && _length > 2 && "cdeghkmnrt"u8.Contains(_word[_length - 3]))
        {
            _length -= 2;
        }
    }

    private void Step3()
    {
        foreach ((byte[] from, byte[] to) in EnglishSuffixes.Step3(Last))
        {
            if (EndsWith(from))
            {
                bool isAtive = from.Length == 5 && from[4] == 'e' && from[3] == 'v';
                ReplaceIn(isAtive ? Math.Max(_region1, _region2) : _region1, from.Length, to);
                return;
            }
        }
    }

    private void Step4()
    {
        foreach ((byte[] from, byte[] to) in EnglishSuffixes.Step4(Last))
        {
            if (EndsWith(from))
            {
                ReplaceIn(_region2, from.Length, to);
                return;
            }
        }

        if (EndsWith("ion"u8) && _length - 3 >= _region2 && _length > 3 && _word[_length - 4] is (byte)'s' or (byte)'t')
        {
            _length -= 3;
        }
    }

    private void Step5()
    {
        int last = _length - 1;
        if (EndsWith("e"u8))
        {
            if (last >= _region2 || (last >= _region1 && !EndsWithShortSyllable(last)))
            {
                _length--;
            }
        }
        else if (EndsWith("ll"u8) && last >= _region2)
        {
            _length--;
        }
    }

    private readonly bool EndsWith(ReadOnlySpan<byte> suffix) => _word[.._length].EndsWith(suffix);

    private void Append(byte letter) => _word[_length++] = letter;

    private void ReplaceIn(int region, int suffixLength, ReadOnlySpan<byte> replacement)
    {
        int start = _length - suffixLength;
        if (start >= region)
        {
            replacement.CopyTo(_word[start..]);
            _length = start + replacement.Length;
        }
    }

    private readonly void MarkConsonantY()
    {
        for (int i = 0; i < _length; i++)
        {
            if (_word[i] == 'y' && (i == 0 || IsVowel(_word[i - 1])))
            {
                _word[i] = (byte)'Y';
            }
        }
    }

    private void FindRegions()
    {
        ReadOnlySpan<byte> word = _word[.._length];
        _region1 = word.StartsWith("gener"u8) || word.StartsWith("arsen"u8) ? 5
            : word.StartsWith("commun"u8) ? 6 : RegionBehind(0);
        _region2 = RegionBehind(_region1);
    }

    /// <summary>Behind the first non-vowel that follows a vowel.</summary>
    private readonly int RegionBehind(int from)
    {
        for (int i = from + 1; i < _length; i++)
        {
            if (!IsVowel(_word[i]) && IsVowel(_word[i - 1]))
            {
                return EndOfLetter(i);
            }
        }

        return _length;
    }

    private readonly bool HasVowel(int before)
    {
        for (int i = 0; i < before; i++)
        {
            if (IsVowel(_word[i]))
            {
                return true;
            }
        }

        return false;
    }

    private readonly bool EndsWithShortSyllable(int end)
    {
        int last = end < 2 ? 0 : StartOfLetter(end - 1);
        if (last == 1)
        {
            return IsVowel(_word[0]) && !IsVowel(_word[1]);
        }

        return last > 1 && !IsVowel(_word[last]) && !"wxY"u8.Contains(_word[last])
            && IsVowel(_word[last - 1]) && !IsVowel(_word[last - 2]);
    }

    /// <summary>The offset of the letter that has the byte at an offset.</summary>
    private readonly int StartOfLetter(int at)
    {
        while (at > 0 && (_word[at] & 0xC0) == 0x80)
        {
            at--;
        }

        return at;
    }

    /// <summary>The offset behind the letter that has the byte at an offset.</summary>
    private readonly int EndOfLetter(int at)
    {
        do
        {
            at++;
        }
        while (at < _length && (_word[at] & 0xC0) == 0x80);
        return at;
    }

    /// <summary>How many letters a word has, of those before its fourth.</summary>
    private static int CountUpToThree(ReadOnlySpan<byte> word)
    {
        if (word.Length >= 3 && (word[0] | word[1] | word[2]) < 0x80)
        {
            return 3;
        }

        int count = 0;
        for (int i = 0; i < word.Length && count < 3; i++)
        {
            count += (word[i] & 0xC0) == 0x80 ? 0 : 1;
        }

        return count;
    }

    private static bool HasOnlyLetters(ReadOnlySpan<byte> word)
    {
        foreach (byte letter in word)
        {
            if (letter is not ((>= (byte)'a' and <= (byte)'z') or (byte)'\''))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsVowel(byte letter) => letter is (byte)'a' or (byte)'e' or (byte)'i' or (byte)'o' or (byte)'u'
        or (byte)'y';
}
