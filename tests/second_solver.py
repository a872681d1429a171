"""Answers a script of SMT-LIB 2 with cvc5 or Bitwuzla from PyPI, whose packages have no program of their own.

    pip install cvc5 bitwuzla
    lockstep verify kernel.cl --recheck 'python3 tests/second_solver.py cvc5'

Prints sat, unsat or unknown.
"""

import sys


def with_cvc5(path):
    import cvc5

    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, path)
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, symbols), end="")


def with_bitwuzla(path):
    import bitwuzla

    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(path)  # It prints the answer.


def main():
    solver, path = sys.argv[1:]
    {"cvc5": with_cvc5, "bitwuzla": with_bitwuzla}[solver](path)


if __name__ == "__main__":
    main()
