"""placeholder"""
def compile_error(routine, game, plan, error):
    return error
